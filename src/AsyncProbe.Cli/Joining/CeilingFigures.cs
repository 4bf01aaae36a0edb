using AsyncProbe.Rules;

namespace AsyncProbe.Cli.Joining;

/// <summary>
/// The requests per second that threads and cores allow, now and without the avoidable blocking. An upper bound has no low end.
/// </summary>
internal sealed record CeilingFigures(double? Threads, double? NowLow, double? NowHigh, double? IfAsyncLow, double? IfAsyncHigh)
{
    /// <summary>How many times more requests per second async would allow, calculated from the ends that are safe to promise.</summary>
    public double? Gain =>
        (IfAsyncLow ?? IfAsyncHigh) / (NowLow ?? NowHigh) is { } gain && double.IsFinite(gain) ? Math.Round(gain, 2) : null;

    public static CeilingFigures From(Ceiling ceiling) =>
        new(ceiling.Threads, Round(ceiling.Now.Low), Round(ceiling.Now.High), Round(ceiling.IfAsync.Low), Round(ceiling.IfAsync.High));

    private static double? Round(double? perSecond) => perSecond is null ? null : Math.Round(perSecond.Value, 3);
}
