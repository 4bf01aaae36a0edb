using System.Text;

namespace AsyncProbe.Peers;

/// <summary>The table of benchmarks/results/peers.md.</summary>
internal sealed class PeersTable
{
    private readonly List<(Workload Workload, Dictionary<string, Measured[]> Measured)> _columns = [];

    public void Add(Workload workload, Dictionary<string, Measured[]> measured) => _columns.Add((workload, measured));

    public string Render(int rounds)
    {
        var text = new StringBuilder();
        text.AppendLine($"Medians of {rounds} rounds, each compared with the round without an observer; in parentheses the ratio; CPU time of");
        text.AppendLine("the whole process per request, and the bytes that it allocates.");
        text.AppendLine();
        text.AppendLine("| per request | " + string.Join(" | ", _columns.Select(c => c.Workload.Title + " | B")) + " |");
        text.AppendLine("|---|" + string.Concat(_columns.Select(_ => "--:|--:|")));
        foreach (var variant in Variants.All.Where(v => _columns.TrueForAll(c => c.Measured.ContainsKey(v.Name))))
        {
            text.AppendLine($"| {variant.Title} | " + string.Join(" | ", _columns.Select(c => Cell(variant, c.Measured))) + " |");
        }

        return text.ToString();
    }

    private static string Cell(Variant variant, Dictionary<string, Measured[]> measured)
    {
        var mine = measured[variant.Name];
        if (variant.Name == Variants.Bare)
        {
            return $"{Median(mine.Select(m => m.Microseconds)):0.00} µs | {Median(mine.Select(m => m.Bytes)):0}";
        }

        var others = measured[variant.ComparedWith];
        var more = Median(mine.Zip(others, (a, b) => a.Microseconds - b.Microseconds));
        var ratio = Median(mine.Zip(others, (a, b) => a.Microseconds / b.Microseconds));
        var bytes = Median(mine.Zip(others, (a, b) => a.Bytes - b.Bytes));
        return $"{more:+0.00;−0.00} ({ratio:0.000}) | {bytes:+0;−0;0}";
    }

    public static double Median(IEnumerable<double> values)
    {
        var sorted = values.Order().ToArray();
        return (sorted[(sorted.Length - 1) / 2] + sorted[sorted.Length / 2]) / 2;
    }
}
