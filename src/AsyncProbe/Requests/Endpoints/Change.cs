namespace AsyncProbe.Requests.Endpoints;

/// <summary>
/// Whether an endpoint does something else than before. A rare slow request is no change: it comes and goes with the sample, so the shares
/// of such requests must differ by more than chance makes them differ.
/// </summary>
internal static class Change
{
    private const double LeastShare = 0.1;
    private const double Deviations = 4;
    private const double MostlyAlike = 0.9;
    private const double Factor = 2;

    public static bool Between(WarmSum recent, WarmSum before)
    {
        if (recent.Requests <= 0 || before.Requests <= 0)
        {
            return false;
        }

        // How long they were away is another system's doing, and varies with it.
        return Differ(recent.Blocking, before.Blocking, recent.Split.Blocked.TotalSeconds, before.Split.Blocked.TotalSeconds)
            || Differ(recent.Working, before.Working, recent.Split.Cpu.TotalSeconds, before.Split.Cpu.TotalSeconds)
            || Differ(recent.Away, before.Away, recent.Requests, before.Requests);

        bool Differ(long some, long someBefore, double sum, double sumBefore)
        {
            var (share, shareBefore) = ((double)some / recent.Requests, (double)someBefore / before.Requests);
            if (share >= MostlyAlike && shareBefore >= MostlyAlike)
            {
                // Nearly all of them do it, so the means are comparable.
                var (mean, meanBefore) = (sum / recent.Requests, sumBefore / before.Requests);
                return mean > meanBefore * Factor || meanBefore > mean * Factor;
            }

            var all = (double)(some + someBefore) / (recent.Requests + before.Requests);
            var deviation = Math.Sqrt(all * (1 - all) * ((1.0 / recent.Requests) + (1.0 / before.Requests)));
            return Math.Abs(share - shareBefore) >= LeastShare && Math.Abs(share - shareBefore) > Deviations * deviation;
        }
    }
}
