using System.Collections.Immutable;
using System.Globalization;
using AsyncProbe.Analyzers.Matching;
using AsyncProbe.Analyzers.Reports;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.Diagnostics;
using Microsoft.CodeAnalysis.Text;

namespace AsyncProbe.Analyzers;

/// <summary>
/// Reports a warning at each line that blocked a pool thread, according to the AsyncProbe reports among the additional files.
/// </summary>
[DiagnosticAnalyzer(LanguageNames.CSharp)]
public sealed class BlockedLineAnalyzer : DiagnosticAnalyzer
{
    /// <summary>The .editorconfig option that hides waits whose mean is shorter than this many milliseconds.</summary>
    public const string MinimumOption = "asyncprobe_minimum_ms";

    /// <summary>The diagnostic property that names the awaitable counterpart.</summary>
    internal const string Awaitable = "awaitable";

    // The host caches a text as long as its file doesn't change, so a report is parsed once instead of at every keystroke.
    private static readonly SourceTextValueProvider<ReportFile?[]> s_parsed = new(static _ => new ReportFile?[1]);

    /// <inheritdoc />
    public override ImmutableArray<DiagnosticDescriptor> SupportedDiagnostics { get; } = ImmutableArray.CreateRange(
        [Rules.Report, .. Rules.Waits]);

    /// <inheritdoc />
    public override void Initialize(AnalysisContext context)
    {
        context.ConfigureGeneratedCodeAnalysis(GeneratedCodeAnalysisFlags.None);
        context.EnableConcurrentExecution();
        context.RegisterCompilationStartAction(Start);
    }

    private static void Start(CompilationStartAnalysisContext start)
    {
        var reports = new Dictionary<AdditionalText, (ReportFile Report, SourceText Text)>();
        foreach (var file in start.Options.AdditionalFiles)
        {
            if (ReportReader.IsCandidate(file.Path) && file.GetText(start.CancellationToken) is { } text)
            {
                reports[file] =
                    (start.TryGetValue(text, s_parsed, out var kept)
                    ? Read(file.Path, text, kept, start.CancellationToken)
                    : Read(file.Path, text, start.CancellationToken), text);
            }
        }

        start.RegisterAdditionalFileAction(context =>
        {
            if (reports.TryGetValue(context.AdditionalFile, out var read) && read.Report.Problem is { } problem)
            {
                context.ReportDiagnostic(
                    Diagnostic.Create(Rules.Report, Place(context.AdditionalFile.Path, read.Text, read.Report.Position), problem));
            }
        });

        var sites = ReportReader.Merge(reports.Values.SelectMany(read => read.Report.Sites));
        if (sites.Count > 0)
        {
            var byTree = new SitesByTree(start.Compilation, sites);
            start.RegisterSemanticModelAction(context => Analyze(context, byTree.Get(context.CancellationToken)));
        }
    }

    private static void Analyze(SemanticModelAnalysisContext context, ILookup<SyntaxTree, ReportedSite> byTree)
    {
        var tree = context.SemanticModel.SyntaxTree;
        if (!byTree.Contains(tree))
        {
            return;
        }

        var minimum = Minimum(context.Options.AnalyzerConfigOptionsProvider.GetOptions(tree));
        foreach (var (site, call) in new SiteMatcher(context.SemanticModel, [.. byTree[tree]], context.CancellationToken).Match())
        {
            // Allowed sites take part in the matching, so that no other site is matched to their calls.
            if (site.Allowed is null && !(site.MeanMs < minimum))
            {
                var properties = ImmutableDictionary<string, string?>.Empty.Add(Awaitable, site.Awaitable);
                context.ReportDiagnostic(Diagnostic.Create(
                    Rules.Get(site.Kind), Location.Create(tree, call.Span), properties, SiteSentence.Create(site)));
            }
        }
    }

    private static ReportFile Read(string path, SourceText text, ReportFile?[] kept, CancellationToken cancellationToken) =>
        Volatile.Read(ref kept[0]) ?? (kept[0] = Read(path, text, cancellationToken));

    // Check the length before turning the text into one string.
    private static ReportFile Read(string path, SourceText text, CancellationToken cancellationToken) =>
        text.Length > ReportReader.LargestText
            ? ReportReader.TooLarge(path, text.Length)
            : ReportReader.Read(path, text.ToString(), cancellationToken);

    private static double Minimum(AnalyzerConfigOptions options) =>
        options.TryGetValue(MinimumOption, out var text)
            && double.TryParse(text, NumberStyles.Float, CultureInfo.InvariantCulture, out var ms) ? ms : 0;

    private static Location Place(string path, SourceText text, int position)
    {
        var span = new TextSpan(Math.Min(position, text.Length), 0);
        return Location.Create(path, span, text.Lines.GetLinePositionSpan(span));
    }
}
