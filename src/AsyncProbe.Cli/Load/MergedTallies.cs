namespace AsyncProbe.Cli.Load;

/// <summary>
/// All cores' figures: of requests sent inside the measured time, and of those sent in the warm-up and answered after it.
/// </summary>
internal sealed record MergedTallies(Tally[] Counted, Tally[] CarriedOver, long LastEnded)
{
    /// <summary>
    /// A server so starved that the warm-up's requests fill the measured time leaves nothing else to count: then they count too, or the
    /// slowest server of all would have no figures.
    /// </summary>
    public Tally[] WithCarriedOver()
    {
        foreach (var (tally, carried) in Counted.Zip(CarriedOver))
        {
            tally.Add(carried);
        }

        return Counted;
    }
}
