using System.Text.Json;

namespace AsyncProbe.Apps.Tests.Running;

/// <summary>Decides which findings a crowded machine explains. Its threads wait for a core, so AsyncProbe can't see what else they wait for.</summary>
internal static class Crowd
{
    // Shares of held time in which a thread was ready but had no core. With fifteen waiting threads per core, a lock whose holder has no
    // core can decide a verdict. A wait of a few milliseconds that spins first may be over before it blocks: the hook sees nothing, and
    // the time counts as a wait for a core (docs/blocking.md).
    private const double Some = 0.15;
    private const double Great = 0.5;

    /// <param name="row">The endpoint's row in the report.</param>
    /// <param name="finding">What was wrong.</param>
    public static bool Hides(JsonElement? row, Finding finding)
    {
        var least = finding.Aspect switch { Aspect.Verdict => Some, Aspect.Site or Aspect.Figure => Great, _ => double.NaN };
        return row is { } figures && Total(figures, "cpuWaitMs") > Total(figures, "heldMs") * least;

        static double Total(JsonElement figures, string name) => figures.GetProperty(name).GetProperty("total").GetDouble();
    }
}
