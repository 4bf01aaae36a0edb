using System.Globalization;
using AsyncProbe.Cli.Load;
using AsyncProbe.Cli.Statistics;

namespace AsyncProbe.Cli.Runs;

/// <summary>Reports "client-limited", with the reasons, when the tool was the bottleneck.</summary>
internal static class ClientLimits
{
    private const double CpuLimit = 0.85;
    private const double GcLimit = 0.05;
    private const double PoolDelayLimitMs = 10;
    private const double SendLagLimitMs = 10;
    private const double DelayShareLimit = 0.1;
    private const double LittleLimit = 0.85;

    /// <param name="figures">What was measured of the tool.</param>
    /// <param name="medianMs">The median time of a request; how much a delay in the tool matters is relative to it.</param>
    public static ClientFigures Judge(ClientFigures figures, double medianMs)
    {
        var slack = medianMs * DelayShareLimit;
        var limits = new List<string>();
        Check(figures.CpuShare > CpuLimit, $"the tool used {figures.CpuShare:P0} of all cores");
        Check(figures.GcPauseShare > GcLimit, $"its garbage collector paused it for {figures.GcPauseShare:P0} of the time");
        Check(
            figures.PoolDelayP99Ms > Math.Max(PoolDelayLimitMs, slack),
            $"its continuations waited {FigureText.Ms(figures.PoolDelayP99Ms)} ms for a thread (p99)");
        Check(
            figures.SendLagP99Ms > Math.Max(SendLagLimitMs, slack),
            $"requests left {FigureText.Ms(figures.SendLagP99Ms)} ms after their planned start (p99)");
        Check(
            figures.InFlightWanted > 0 && figures.InFlightByLittle < LittleLimit * figures.InFlightWanted,
            $"only {figures.InFlightByLittle:0.#} of {figures.InFlightWanted:0.#} requests were in flight on average (Little's law)");
        return figures with { Limits = limits };

        void Check(bool limited, FormattableString reason)
        {
            if (limited)
            {
                limits.Add(reason.ToString(CultureInfo.InvariantCulture));
            }
        }
    }
}
