namespace AsyncProbe.Cli.Load;

/// <summary>
/// The part of a run that counts, from the end of the warm-up to the end, in timestamps. A request that was sent (open model: was due)
/// within it counts however late it is answered; leaving out the slow ones would make a stalled server look fast.
/// </summary>
internal sealed record MeasuredTime(long From, long To)
{
    public bool HoldsStart(long planned) => planned >= From && planned < To;

    /// <summary>Whether a request was sent in the warm-up and answered after it.</summary>
    public bool IsCarriedOver(long planned, long ended) => planned < From && ended >= From;

    public bool HoldsEnd(long ended) => ended >= From && ended <= To;
}
