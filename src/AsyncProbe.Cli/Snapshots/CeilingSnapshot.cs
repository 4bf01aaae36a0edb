using System.Text.Json;

namespace AsyncProbe.Cli.Snapshots;

/// <summary>The server's own prediction, over its recent minutes or its lifetime: for looking at a server, not for a run.</summary>
internal sealed record CeilingSnapshot(double? NowLow, double? NowHigh, double? IfAsyncLow, double? IfAsyncHigh)
{
    public static CeilingSnapshot? Read(JsonElement ceiling)
    {
        if (ceiling.ValueKind != JsonValueKind.Object)
        {
            return null;
        }

        var now = ceiling.Child("now");
        var ifAsync = ceiling.Child("ifAsync");
        return new(now.Number("low"), now.Number("high"), ifAsync.Number("low"), ifAsync.Number("high"));
    }
}
