namespace AsyncProbe.Cli.Statistics;

/// <summary>How many successful requests took at least <see cref="FromMs"/> and less than the next bar's value.</summary>
internal sealed record DistributionBar(double FromMs, double ToMs, long Count)
{
    private const int Bars = 40;

    /// <summary>Bars of equal width on a logarithmic axis, because latencies span orders of magnitude.</summary>
    public static IReadOnlyList<DistributionBar> From(Histogram nanoseconds)
    {
        if (nanoseconds.Count == 0)
        {
            return [];
        }

        var low = Math.Max(1000, nanoseconds.Min);
        var high = Math.Max(low * 1.2, nanoseconds.Max);
        var borders = Enumerable.Range(0, Bars).Select(i => (long)(low * Math.Pow(high / low, (double)i / Bars))).ToArray();
        var counts = nanoseconds.CountBetween(borders);
        return [.. borders.Select((border, i) =>
            new DistributionBar(Math.Round(border / 1e6, 4), Math.Round((i + 1 < Bars ? borders[i + 1] : high) / 1e6, 4), counts[i]))];
    }
}
