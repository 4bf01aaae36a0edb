using AsyncProbe.Cli.Statistics;
using Spectre.Console;

namespace AsyncProbe.Cli.Views;

/// <summary>The distribution of response times as bars, one line for each range.</summary>
internal static class HistogramText
{
    private const int MostRows = 10;
    private const int LongestBar = 50;

    /// <summary>With fewer requests, a list of times would say as much.</summary>
    private const long FewestRequests = 20;

    private static readonly Style s_dim = new(decoration: Decoration.Dim);

    public static void Write(IReadOnlyList<DistributionBar> bars, IAnsiConsole console)
    {
        if (bars.Sum(bar => bar.Count) < FewestRequests)
        {
            return;
        }

        var rows = Merge(bars);
        var labels = rows.ConvertAll(row => $"{FigureText.Ms(row.FromMs)} to {FigureText.Ms(row.ToMs)} ms");
        var counts = rows.ConvertAll(row => FigureText.Number(row.Count));
        var (label, count) = (labels.Max(text => text.Length), counts.Max(text => text.Length));
        var longest = Math.Clamp(console.Profile.Width - label - count - 6, 1, LongestBar);
        var most = rows.Max(row => row.Count);
        console.WriteLine();
        console.Line("Response times of successful requests, logarithmic", s_dim);
        for (var i = 0; i < rows.Count; i++)
        {
            console.Line($"  {labels[i].PadLeft(label)}  {counts[i].PadLeft(count)}  {Bar(rows[i].Count, most, longest)}".TrimEnd());
        }
    }

    /// <summary>The length in eighths of a character; a range that isn't empty is always visible.</summary>
    private static string Bar(long count, long most, int longest)
    {
        const string Eighths = "▏▎▍▌▋▊▉";
        var length = count == 0 ? 0 : Math.Max(1, (int)Math.Round((double)count / most * longest * 8));
        return new string('█', length / 8) + (length % 8 == 0 ? "" : Eighths[(length % 8) - 1].ToString());
    }

    private static List<DistributionBar> Merge(IReadOnlyList<DistributionBar> bars)
    {
        var size = Math.Max(1, (bars.Count + MostRows - 1) / MostRows);
        return [.. bars.Chunk(size).Select(chunk => new DistributionBar(chunk[0].FromMs, chunk[^1].ToMs, chunk.Sum(bar => bar.Count)))];
    }
}
