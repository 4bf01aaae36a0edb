using AsyncProbe.Cli.Server;
using Spectre.Console;

namespace AsyncProbe.Cli.Views;

/// <summary>
/// The screen of <c>watch</c>. It never has more lines than the terminal: otherwise the first one, which says how the pool is, would
/// scroll away at every look.
/// </summary>
internal static class WatchScreen
{
    /// <summary>What a look has besides its three lists.</summary>
    private const int OtherLines = 12;

    private const int FewestRows = 3;

    private static readonly Style s_dim = new(decoration: Decoration.Dim);

    /// <param name="console">The terminal.</param>
    /// <param name="page">A console of the same size and colours that writes to <paramref name="text"/>.</param>
    /// <param name="text">What was written to the page.</param>
    /// <param name="sentence">Where the snapshot is from; without one, why there is none.</param>
    /// <param name="snapshot">Null when there is none.</param>
    public static void Show(IAnsiConsole console, IAnsiConsole page, StringWriter text, string sentence, ServerSnapshot? snapshot)
    {
        var height = Math.Max(FewestRows, console.Profile.Height - 1);
        page.Line($"{sentence}   (q ends)", s_dim);
        if (snapshot is not null)
        {
            StateReport.Write(snapshot, page, Math.Clamp((height - OtherLines) / 3, FewestRows, StateReport.MostRows), legend: false);
        }

        var lines = text.ToString().ReplaceLineEndings("\n").TrimEnd('\n').Split('\n');
        console.Clear();
        console.Profile.Out.Writer.Write(string.Join(Environment.NewLine, Cut(lines, height)));
        console.Profile.Out.Writer.Flush();
    }

    private static string[] Cut(string[] lines, int height) =>
        lines.Length <= height ? lines : [.. lines.Take(height - 1), $"… {lines.Length - height + 1} more lines: make the window taller"];
}
