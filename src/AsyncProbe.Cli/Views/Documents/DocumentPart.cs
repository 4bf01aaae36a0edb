using System.Globalization;
using AsyncProbe.Cli.Comparison;
using AsyncProbe.Cli.Runs;
using AsyncProbe.Cli.Statistics;

namespace AsyncProbe.Cli.Views.Documents;

/// <summary>Where files have a part. The terminal writes the parts as they come.</summary>
internal enum PartPlace
{
    /// <summary>The conclusion.</summary>
    Lead,
    Head,
    Judgement,
    Body,
}

/// <summary>Which views have a part.</summary>
internal enum PartMedium
{
    All,
    Terminal,

    /// <summary>Markdown and HTML.</summary>
    Files,
}

internal enum SentenceStyle
{
    Plain,
    Strong,
    Quiet,

    /// <summary>Belongs to the table above it.</summary>
    Detail,
    Advice,
    Failure,
    Warning,
}

internal abstract record DocumentPart
{
    public PartPlace Place { get; init; } = PartPlace.Body;

    /// <summary>Whether the terminal leaves a line free before it.</summary>
    public bool StartsBlock { get; init; }

    public PartMedium For { get; init; }

    /// <summary>Whether it only explains other parts, so that <c>--quiet</c> leaves it out.</summary>
    public bool IsExplanation { get; init; }

    /// <summary>How many rows or sentences the terminal shows at most.</summary>
    public int Most { get; init; } = int.MaxValue;
}

internal sealed record SentencesPart(SentenceStyle Style, params IReadOnlyList<string> Sentences) : DocumentPart
{
    /// <summary>The column that it explains. Where the terminal is too narrow for that column, it leaves out the explanation.</summary>
    public string? Explains { get; init; }

    /// <summary>When a result's time began.</summary>
    public static SentencesPart Begun(DateTimeOffset at, bool isInterrupted) => new(SentenceStyle.Quiet, string.Create(
        CultureInfo.InvariantCulture, $"begun {at.UtcDateTime:yyyy-MM-dd HH:mm:ss} UTC{(isInterrupted ? "; interrupted" : "")}"))
    {
        Place = PartPlace.Head,
        For = PartMedium.Files,
    };
}

/// <param name="Heading">Files have it above the table.</param>
/// <param name="Columns">The first one has the names of the rows.</param>
/// <param name="Rows">A cell for each column.</param>
internal sealed record TablePart(string? Heading, IReadOnlyList<TextColumn> Columns, IReadOnlyList<string[]> Rows) : DocumentPart
{
    /// <summary>Stands above the table in the terminal.</summary>
    public string? Caption { get; init; }

    /// <summary>The tables to write instead if a terminal is too narrow for all columns.</summary>
    public IReadOnlyList<TablePart> IfTooWide { get; init; } = [];
}

/// <param name="Heading">Which run they are about; null if there is only one.</param>
/// <param name="Thresholds">The conditions and what was measured.</param>
internal sealed record ThresholdsPart(string? Heading, IReadOnlyList<ThresholdResult> Thresholds) : DocumentPart;

/// <summary>The distribution of response times, in the terminal.</summary>
internal sealed record HistogramPart(IReadOnlyList<DistributionBar> Bars) : DocumentPart;

/// <summary>The key figures, in HTML.</summary>
internal sealed record CardsPart(RunResult Run) : DocumentPart;

/// <summary>Both sides on one time axis, in HTML.</summary>
internal sealed record ChartsPart(RunResult Run) : DocumentPart;

/// <summary>Each endpoint's held time as a split bar, in HTML.</summary>
internal sealed record HeldBarsPart(string Heading, IReadOnlyList<HeldBar> Bars) : DocumentPart;

/// <summary>A bar for each session's throughput, in HTML.</summary>
internal sealed record RateBarsPart(IReadOnlyList<ComparedSession> Sessions) : DocumentPart;
