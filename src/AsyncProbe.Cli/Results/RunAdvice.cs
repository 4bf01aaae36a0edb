using AsyncProbe.Cli.Views;

namespace AsyncProbe.Cli.Results;

/// <summary>A sentence about an endpoint, with the figures of the row it belongs to and no others.</summary>
internal static class RunAdvice
{
    public static string? For(EndpointSide row) => row.Verdict switch
    {
        RunVerdict.AsyncWillHelp => $"{Blocked(row)}{Place(row)}. Awaiting it would raise the ceiling from {Now(row)} to {IfAsync(row)}.",
        RunVerdict.LockContention => $"{Blocked(row)}{Place(row)}. Async does not help against a contended lock: hold it for less time, or share less.",
        RunVerdict.ProviderIsSynchronous => $"{Blocked(row)}{Place(row)}. The provider has no asynchronous I/O, so awaiting it does not help: make fewer or shorter calls, or use another provider.",
        RunVerdict.CpuBound => $"A request used {Text.Ms(row.CpuMs.Mean)} ms of CPU: async does not raise the ceiling of {Now(row)}; less work, a cache or more cores do.",
        RunVerdict.AlreadyAsync => $"A request held a thread for only {Text.Ms(row.HeldMs.Mean)} ms; its waits are awaited.",
        RunVerdict.Fine when row.BlockedMs.Mean >= 1 => $"A request held a thread for {Text.Ms(row.HeldMs.Mean)} ms, {Text.Ms(row.BlockedMs.Mean)} ms of it blocked where that is allowed or changes nothing.",
        RunVerdict.Fine => $"A request held a thread for {Text.Ms(row.HeldMs.Mean)} ms: there is nothing to gain.",
        _ => null,
    };

    /// <summary>Where it blocked, marked where that is not all there is to know; empty when nothing was seen.</summary>
    public static string Where(EndpointSide row) => row.WorstSiteIs switch
    {
        null => "",
        SiteSeen.Fully => $"{row.WorstSite} [{row.WorstSiteKind}]",
        SiteSeen.Sampled => $"{row.WorstSite} [{row.WorstSiteKind}] (sampled)",
        SiteSeen.Earlier => $"{row.WorstSite} [{row.WorstSiteKind}] (seen before this run; nothing of this run was looked at)",
        _ => $"{row.WorstSite} [{row.WorstSiteKind}] ({Part(row)})",
    };

    /// <summary>Whether the place is known and not in the sentence.</summary>
    public static bool NeedsPlace(EndpointSide row) =>
        row is { WorstSite: { } site, BlockedMs.Mean: > 0 } && row.Advice?.Contains(site, StringComparison.Ordinal) != true;

    private static string Blocked(EndpointSide row) =>
        $"A request held a thread for {Text.Ms(row.HeldMs.Mean)} ms and did nothing for {Text.Ms(row.BlockedMs.Mean)} ms of it";

    private static string Place(EndpointSide row) => row.WorstSiteIs switch
    {
        null when row.LookedAt => "; no managed wait was seen: Thread.Sleep, file I/O or native code",
        null => "; the place was not looked at in this run",
        SiteSeen.Partly => $"; seen of that: {Where(row)}",
        SiteSeen.Fully when row.WorstSiteMs < row.BlockedMs.Mean / 2 => $", the largest part of it ({Text.Ms(row.WorstSiteMs)} ms) at {Where(row)}",
        _ => $", most at {Where(row)}",
    };

    private static string Part(EndpointSide row) => row.WorstSiteMs is { } ms ? $"{Text.Ms(ms)} ms a request" : "in part";

    private static string Now(EndpointSide row) => $"{ServerText.Range(row.CeilingPerSecond?.NowLow, row.CeilingPerSecond?.NowHigh)} a second";

    private static string IfAsync(EndpointSide row)
    {
        var ceiling = row.CeilingPerSecond;
        var times = ceiling?.Gain is { } gain ? $" ({Text.Times(gain)} with {Text.Count((long)(ceiling.Threads ?? 0), "thread")})" : "";
        return $"{ServerText.Range(ceiling?.IfAsyncLow, ceiling?.IfAsyncHigh)} a second{times}";
    }
}
