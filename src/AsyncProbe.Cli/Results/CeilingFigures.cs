using System.Text.Json;

namespace AsyncProbe.Cli.Results;

/// <summary>The server's prediction: requests a second that its threads and cores allow, now and without the avoidable blocking.</summary>
internal sealed record CeilingFigures(double? Threads, double? NowLow, double? NowHigh, double? IfAsyncLow, double? IfAsyncHigh)
{
    public static CeilingFigures? Read(JsonElement ceiling)
    {
        if (ceiling.ValueKind != JsonValueKind.Object)
        {
            return null;
        }

        var now = ceiling.Child("now");
        var ifAsync = ceiling.Child("ifAsync");
        return new(ceiling.Number("threads"), now.Number("low"), now.Number("high"), ifAsync.Number("low"), ifAsync.Number("high"));
    }

    /// <summary>How many times more requests a second async would allow, from the middles of the two ranges.</summary>
    public double? Gain => Middle(IfAsyncLow, IfAsyncHigh) / Middle(NowLow, NowHigh) is { } gain && double.IsFinite(gain) ? Math.Round(gain, 2) : null;

    private static double? Middle(double? low, double? high) => (low + high) / 2 ?? low ?? high;
}
