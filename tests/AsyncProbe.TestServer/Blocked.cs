using System.Diagnostics;
using System.Globalization;

namespace AsyncProbe.TestServer;

/// <summary>How long a call kept its thread in wall-clock time: the truth to compare AsyncProbe's figures with.</summary>
internal static class Blocked
{
    /// <returns>Milliseconds with three decimal places.</returns>
    public static string ByClock(Action block)
    {
        var startedAt = Stopwatch.GetTimestamp();
        block();
        return Stopwatch.GetElapsedTime(startedAt).TotalMilliseconds.ToString("0.000", CultureInfo.InvariantCulture);
    }
}
