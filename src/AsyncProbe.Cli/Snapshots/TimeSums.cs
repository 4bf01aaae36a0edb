using System.Text.Json;

namespace AsyncProbe.Cli.Snapshots;

/// <summary>One kind of time of one endpoint or site, in milliseconds since the server's counts began.</summary>
internal sealed record TimeSums(double? Total, double? Mean, double? Max)
{
    public static TimeSums Read(JsonElement parent, string name)
    {
        var sums = parent.Child(name);
        return new(sums.Number("total"), sums.Number("mean"), sums.Number("max"));
    }

    /// <summary>
    /// The difference between two snapshots, with the mean per <paramref name="count"/>. The maximum is known only if it has grown since;
    /// otherwise it belongs to an earlier request.
    /// </summary>
    public TimeSums Since(TimeSums? earlier, double count)
    {
        var total = Total - (earlier?.Total ?? 0);
        var max = earlier?.Max is null || Max > earlier.Max ? Max : null;
        return new(Round(total), count > 0 ? Round(total / count) : null, max);
    }

    private static double? Round(double? ms) => ms is null ? null : Math.Round(ms.Value, 3);
}
