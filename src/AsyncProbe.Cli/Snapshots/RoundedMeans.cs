namespace AsyncProbe.Cli.Snapshots;

/// <summary>Compares means that the server rounds to thousandths.</summary>
internal static class RoundedMeans
{
    private const double LargestRounding = 0.0005;
    private const double LargestShare = 0.05;

    /// <summary>
    /// The mean between two snapshots, from the means since the server's counts began. Null where rounding could make up more than a
    /// twentieth of it, because nearly everything was counted before the first snapshot.
    /// </summary>
    public static double? Between(double? before, double? earlier, double? after, double count)
    {
        if (before is null || earlier is null or 0)
        {
            return after;
        }

        var mean = ((after * count) - (before * earlier)) / (count - earlier);
        var rounding = LargestRounding * (count + earlier) / (count - earlier);
        return rounding <= mean * LargestShare ? mean : null;
    }
}
