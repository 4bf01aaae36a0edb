using System.Globalization;
using System.Text;

namespace AsyncProbe.Soak;

/// <summary>The table of benchmarks/results/soak.md.</summary>
internal static class SoakTable
{
    public static string Of(SoakResult result)
    {
        var text = new StringBuilder("| what | after a cycle | after half of them | at the end |\n|---|--:|--:|--:|\n");
        Row(text, "heap after a collection, MB", result, s => Megabytes(s.HeapBytes));
        Row(text, "working set, MB", result, s => Megabytes(s.WorkingSetBytes));
        Row(text, "handles", result, s => Number(s.Handles));
        Row(text, "descriptors", result, s => s.Descriptors is { } descriptors ? Number(descriptors) : "not available");
        Row(text, "threads", result, s => Number(s.Threads));
        text.Append('\n').Append(CultureInfo.InvariantCulture, $"| in {result.Length.TotalMinutes:f0} minutes | |\n|---|--:|\n");
        text.Append(CultureInfo.InvariantCulture, $"| requests sent | {result.Requests:n0} |\n");
        text.Append(CultureInfo.InvariantCulture, $"| requests lost | {result.Lost.Count:n0} |\n");
        text.Append(CultureInfo.InvariantCulture, $"| exceptions of AsyncProbe | {result.States[^1].Exceptions:n0} |\n");
        text.Append(CultureInfo.InvariantCulture, $"| requests compared one by one with the report | {result.Compared:n0} |\n");
        text.Append(CultureInfo.InvariantCulture, $"| counts that differ | {result.Miscounted.Count:n0} |\n");
        return text.ToString();
    }

    private static void Row(StringBuilder text, string what, SoakResult result, Func<ServerState, string> figure) =>
        text.Append(CultureInfo.InvariantCulture, $"| {what} | {string.Join(" | ", result.States.Select(figure))} |\n");

    private static string Megabytes(long bytes) => (bytes / 1e6).ToString("f1", CultureInfo.InvariantCulture);

    private static string Number(int number) => number.ToString(CultureInfo.InvariantCulture);
}
