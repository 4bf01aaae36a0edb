namespace AsyncProbe.Cli.Statistics;

/// <summary>A curve one line high.</summary>
internal static class Sparkline
{
    private const string Bars = "▁▂▃▄▅▆▇█";

    public static string Draw(IEnumerable<double> values)
    {
        var list = values.ToArray();
        var top = list.Length == 0 ? 0 : list.Max();
        return top <= 0
            ? ""
            : string.Concat(list.Select(value => Bars[(int)Math.Clamp(value / top * (Bars.Length - 1), 0, Bars.Length - 1)]));
    }
}
