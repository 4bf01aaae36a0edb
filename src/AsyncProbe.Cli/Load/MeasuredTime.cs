using System.Diagnostics;

namespace AsyncProbe.Cli.Load;

/// <summary>
/// The part of a run that counts, from the end of the warm-up to the end, in timestamps. A request that was sent (open model: was due)
/// within it counts however late it is answered; leaving out the slow ones would make a stalled server look fast.
/// </summary>
internal sealed record MeasuredTime(long From, long To)
{
    /// <summary>When the load begins, with the warm-up. Planned starts are counted from here.</summary>
    public long Begin { get; init; } = From;

    private long PlanEnds { get; init; } = To;

    private long SettledFrom { get; init; } = From;

    /// <summary>
    /// The later half of a plan. By then, a slow but steady server answers as many requests as are due. Earlier, it answers fewer, because
    /// requests weren't due before the run began.
    /// </summary>
    public TimeSpan SettledTime => Stopwatch.GetElapsedTime(SettledFrom, PlanEnds);

    public bool HoldsStart(long planned) => planned >= From && planned < To;

    /// <summary>Whether a request was sent in the warm-up and answered after it.</summary>
    public bool IsCarriedOver(long planned, long ended) => planned < From && ended >= From;

    public bool HoldsEnd(long ended) => ended >= From && ended <= To;

    public bool IsSettled(long ended) => ended >= SettledFrom && ended < PlanEnds;

    /// <param name="rate">The planned starts per second.</param>
    /// <param name="requests">After how many starts the plan ends, if not at the end of the measured time.</param>
    public MeasuredTime Plan(double rate, long? requests)
    {
        var interval = Stopwatch.Frequency / rate;
        var ends = requests is { } count ? (long)Math.Min(To, From + (count * interval)) : To;
        // Any whole number of intervals holds the same number of starts and, if all take equally long, of answers.
        var half = Math.Ceiling((ends - From) / interval / 2) * interval;
        return this with { PlanEnds = ends, SettledFrom = ends - (long)half };
    }
}
