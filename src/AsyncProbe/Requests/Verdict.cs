namespace AsyncProbe.Requests;

/// <summary>What an endpoint needs.</summary>
internal enum Verdict
{
    NotEnoughData,
    AsyncWillHelp,
    CpuBound,
    LockContention,
    AlreadyAsync,
    Fine,
}

/// <summary>Decides the verdict from the mean warm request.</summary>
internal static class Verdicts
{
    /// <summary>Warm requests that a verdict needs.</summary>
    public const int RequestsNeeded = 5;

    private const long WorthMentioning = Nanoseconds.PerMillisecond;
    private const double MostOfIt = 0.5;
    private const double ShareWorthChanging = 0.15;

    /// <param name="warmRequests">How many warm requests there were.</param>
    /// <param name="mean">Their mean.</param>
    /// <param name="lockBlocked">How much of the mean blocked time was spent at locks, in nanoseconds.</param>
    /// <param name="meanDuration">How long a request took, in nanoseconds; null when none was timed.</param>
    public static Verdict Decide(long warmRequests, HeldSplit mean, long lockBlocked, long? meanDuration)
    {
        if (warmRequests < RequestsNeeded)
        {
            return Verdict.NotEnoughData;
        }

        var heldAlone = mean.Held - mean.Waiting;
        if (mean.Blocked >= WorthMentioning && mean.Blocked >= heldAlone * ShareWorthChanging)
        {
            return lockBlocked > mean.Blocked * MostOfIt ? Verdict.LockContention : Verdict.AsyncWillHelp;
        }

        var isMostlyAway = meanDuration is { } duration && duration >= WorthMentioning && mean.Held <= duration * (1 - MostOfIt);
        if (isMostlyAway)
        {
            return Verdict.AlreadyAsync;
        }

        return heldAlone >= WorthMentioning ? Verdict.CpuBound : Verdict.Fine;
    }
}
