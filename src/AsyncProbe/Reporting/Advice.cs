using AsyncProbe.Blocking;
using AsyncProbe.Requests;

namespace AsyncProbe.Reporting;

/// <summary>One sentence a colleague would say about an endpoint, with its numbers.</summary>
internal static class Advice
{
    /// <param name="verdict">What was decided.</param>
    /// <param name="warmRequests">How many warm requests it rests on.</param>
    /// <param name="mean">The mean warm request.</param>
    /// <param name="meanDuration">How long a request took, in nanoseconds; null when none was timed.</param>
    /// <param name="ceiling">The prediction.</param>
    /// <param name="worst">The call site that blocked most; null when none was seen.</param>
    /// <param name="seen">Whether anybody has looked for it.</param>
    public static string For(
        Verdict verdict, long warmRequests, HeldSplit mean, long? meanDuration, Ceiling? ceiling, BlockingSite? worst, WaitsSeen seen = WaitsSeen.NotLooked) => verdict switch
    {
        Verdict.AsyncWillHelp =>
            $"Each request holds a pool thread for {Words.Milliseconds(mean.Held)}, and for {Words.Milliseconds(mean.Blocked)} of that the thread does nothing, "
            + (worst is not null ? $"most at {worst.Text}" : $"at a place not seen yet ({(seen == WaitsSeen.NotLooked ? NotLooked : NoManagedWait)})")
            + $": await instead, and {Gain(ceiling)}. See {worst?.Kind.Link() ?? WaitKinds.UnnamedLink}",
        Verdict.LockContention =>
            $"Each request is blocked for {Words.Milliseconds(mean.Blocked)} of {Words.Milliseconds(mean.Held)} held, most of it at a contended lock"
            + (worst is null ? "" : $" ({worst.Text})")
            + $": async will not help; hold the lock for less time, or share less. See {WaitKind.Lock.Link()}",
        Verdict.CpuBound =>
            $"{Words.Milliseconds(mean.Cpu + mean.Gc)} of the {Words.Milliseconds(mean.Held)} held is CPU work: async will not raise the ceiling"
            + (ceiling?.Now.Safe is { } rate ? $" of {Words.PerSecond(rate)}" : "")
            + "; less work, a cache or more cores will.",
        Verdict.AlreadyAsync =>
            $"Requests take {Words.Milliseconds(meanDuration ?? 0)} and hold a thread for {Words.Milliseconds(mean.Held)} of it: the waits are awaited, so there is nothing to gain here.",
        Verdict.Fine when mean.Waiting > mean.Held / 2 && mean.Waiting >= Nanoseconds.PerMillisecond =>
            $"Requests hold a thread for {Words.Milliseconds(mean.Held)}, and for {Words.Milliseconds(mean.Waiting)} of that it waits for a core: other work takes the cores, and nothing here needs changing.",
        Verdict.Fine => $"Requests hold a thread for {Words.Milliseconds(mean.Held)}: there is nothing to gain here.",
        _ => $"{Words.Count(warmRequests, "warm request")} so far, {Verdicts.RequestsNeeded} are needed: the first few of an endpoint carry the JIT's time and do not count.",
    };

    /// <summary>What is said of blocked time that the wait hook cannot name.</summary>
    public const string NoManagedWait = "no managed wait seen: Thread.Sleep, file I/O or native code";

    /// <summary>What is said of blocked time that no watched request has shown yet.</summary>
    public const string NotLooked = "not looked yet: the wait hook watches its next requests";

    private static string Gain(Ceiling? ceiling)
    {
        if (ceiling is not { Now.Safe: { } now, IfAsync.Safe: { } then } || now <= 0)
        {
            return "the thread is free meanwhile";
        }

        var bound = ceiling.IfAsync.Low is null ? "up to " : "about ";
        return $"the ceiling rises from {Words.Rate(now)} to {bound}{Words.PerSecond(then)} ({Words.Times(then / now)} at {Words.Count(ceiling.Threads, "thread")})";
    }
}
