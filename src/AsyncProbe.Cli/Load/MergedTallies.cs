namespace AsyncProbe.Cli.Load;

/// <summary>
/// The figures of all cores: for requests sent within the measured time, and for those sent in the warm-up and answered after it.
/// </summary>
internal sealed record MergedTallies(Tally[] Counted, Tally[] CarriedOver, long LastEnded)
{
    /// <summary>
    /// On a very starved server, the warm-up's requests can fill the measured time and leave nothing else to count. Then they count too;
    /// otherwise the slowest servers would have no figures.
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
