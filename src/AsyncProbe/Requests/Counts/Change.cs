namespace AsyncProbe.Requests.Counts;

/// <summary>
/// Whether an endpoint behaves differently than before. A rare slow request isn't a change: whether a sample contains one is random, so the
/// shares of such requests must differ by more than chance explains.
/// </summary>
internal static class Change
{
    private const double LeastShare = 0.1;
    private const double Deviations = 4;
    private const double MostlyAlike = 0.9;
    private const double Factor = 2;

    public static bool Between(RequestSums recent, RequestSums before)
    {
        if (recent.Requests <= 0 || before.Requests <= 0)
        {
            return false;
        }

        // For time away from threads, compare only the shares: how long it lasts depends on another system and varies with it.
        return Differ(Figure.Blocking, recent.Blocked.TotalSeconds, before.Blocked.TotalSeconds)
            || Differ(Figure.Working, recent.Time(Figure.Cpu).TotalSeconds, before.Time(Figure.Cpu).TotalSeconds)
            || Differ(Figure.Away, recent.Requests, before.Requests);

        bool Differ(Figure figure, double sum, double sumBefore)
        {
            var (some, someBefore) = (recent.Count(figure), before.Count(figure));
            var (share, shareBefore) = ((double)some / recent.Requests, (double)someBefore / before.Requests);
            if (share >= MostlyAlike && shareBefore >= MostlyAlike)
            {
                // Nearly all requests do it, so the means are comparable.
                var (mean, meanBefore) = (sum / recent.Requests, sumBefore / before.Requests);
                return mean > meanBefore * Factor || meanBefore > mean * Factor;
            }

            var all = (double)(some + someBefore) / (recent.Requests + before.Requests);
            var deviation = Math.Sqrt(all * (1 - all) * ((1.0 / recent.Requests) + (1.0 / before.Requests)));
            return Math.Abs(share - shareBefore) >= LeastShare && Math.Abs(share - shareBefore) > Deviations * deviation;
        }
    }
}
