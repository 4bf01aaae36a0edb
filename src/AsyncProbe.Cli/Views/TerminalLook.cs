using System.Globalization;
using AsyncProbe.Cli.Stacks;
using AsyncProbe.Cli.Statistics;
using Spectre.Console;

namespace AsyncProbe.Cli.Views;

/// <summary>Where a process's pool threads were blocked.</summary>
internal static class TerminalLook
{
    private const int MostRows = 15;

    private static readonly Style s_dim = new(decoration: Decoration.Dim);

    public static void Write(LookResult result, IAnsiConsole console, bool legend)
    {
        console.Line(Heading(result), new Style(decoration: Decoration.Bold));
        if (result.Lines.Count == 0)
        {
            console.Line("No pool thread was seen in a wait that look knows.");
            return;
        }

        console.WriteLine();
        var table = new FittedTable([
            new("blocked at"),
            new("ms", 0, "how long threads were seen blocked there, while stacks were sampled"),
            new("threads", 2, "how many were blocked there on average; - after too few hits to tell"),
            new("hits", 3, "in how many sampling windows a thread was seen there"),
            new("how", 1, IsText: true),
        ]);
        foreach (var line in result.Lines.Take(MostRows))
        {
            table.Add([
                line.At, FigureText.Ms(line.BlockedMs), line.Threads is { } threads ? FigureText.Ms(threads) : "-",
                line.Hits.ToString(CultureInfo.InvariantCulture), line.Kind,
            ]);
        }

        table.Write(console, legend);
        if (result.Lines.Count > MostRows)
        {
            console.Line($"{result.Lines.Count - MostRows} more lines: all are in --json.", s_dim);
        }

        console.WriteLine();
        console.Line($"{result.Lines[0].At}: {result.Lines[0].Remedy}.");
    }

    private static string Heading(LookResult result) => string.Create(
        CultureInfo.InvariantCulture,
        $"{result.Process.Name} (pid {result.Process.Pid}, .NET {result.Process.Runtime}): {result.BlockedThreads} of {result.BusyThreads} "
            + $"busy pool threads were blocked on average, in {result.SampledMs} sampled ms of {result.Seconds} s.");
}
