namespace AsyncProbe.Cli.Load;

/// <summary>
/// The part of a run that counts, from the end of the warm-up to the end, in timestamps. What was sent (open model: was due) inside it
/// counts however late it is answered: leaving the slow ones out is how a stalled server looks fast.
/// </summary>
internal sealed record MeasuredTime(long From, long To)
{
    public bool HoldsStart(long planned) => planned >= From && planned < To;

    /// <summary>Sent in the warm-up and answered after it.</summary>
    public bool IsCarriedOver(long planned, long ended) => planned < From && ended >= From;

    public bool HoldsEnd(long ended) => ended >= From && ended <= To;
}
