using AsyncProbe.Cli.Statistics;

namespace AsyncProbe.Cli.Observation;

/// <summary>A replica whose figure is far from that of the others.</summary>
/// <param name="Value">Its figure.</param>
/// <param name="Others">The median of the others.</param>
internal sealed record OddReplica(string Replica, double Value, double Others)
{
    /// <summary>Load balancers and cold caches cause uneven replicas; a smaller factor needs no action.</summary>
    private const double Factor = 3;

    /// <param name="values">One figure per replica; higher is worse.</param>
    /// <param name="least">The smallest difference that counts, whatever the ratio.</param>
    /// <returns>Null when no replica is far off, or when the others have no figures to compare with.</returns>
    public static OddReplica? Find(IEnumerable<(string Replica, double Value)> values, double least)
    {
        var sorted = values.OrderByDescending(value => value.Value).ToList();
        if (sorted.Count < 2)
        {
            return null;
        }

        var others = Median.Calculate(sorted.Skip(1).Select(value => (double?)value.Value)) ?? 0;
        var worst = sorted[0];
        return worst.Value - others >= least && worst.Value >= Factor * others
            ? new(worst.Replica, Math.Round(worst.Value, 3), Math.Round(others, 3))
            : null;
    }
}
