using AsyncProbe.Cli.Statistics;
using AsyncProbe.Common;
using AsyncProbe.Prediction;

namespace AsyncProbe.Cli.Server;

/// <summary>A sentence about an endpoint, with the figures of the row it belongs to and no others.</summary>
internal static class EndpointAdvice
{
    public static string? Describe(EndpointSide row) => Sentence(row) is { } sentence ? sentence + Once(row) : null;

    private static string? Sentence(EndpointSide row) => row.Verdict switch
    {
        EndpointVerdict.AsyncWillHelp when row.CeilingPerSecond?.Gain < Verdicts.WorthwhileGain =>
            $"{Blocked(row)}{Place(row)}. Async would free the thread, but hardly raise the ceiling of {Now(row)}: the pool "
                + $"had {FigureText.Count((long)(row.CeilingPerSecond.Threads ?? 0), "thread")} to wait with.",
        EndpointVerdict.AsyncWillHelp when row.CeilingPerSecond is not { IfAsyncHigh: not null } =>
            $"{Blocked(row)}{Place(row)}. Async would free the thread.",
        EndpointVerdict.AsyncWillHelp => $"{Blocked(row)}{Place(row)}. Async would raise the ceiling from {Now(row)} to {IfAsync(row)}.",
        EndpointVerdict.LockContention =>
            $"{Blocked(row)}{Place(row)}. Async does not help against a contended lock: hold it for less time, or share less.",
        EndpointVerdict.ProviderIsSynchronous =>
            $"{Blocked(row)}{Place(row)}. The provider has no asynchronous I/O, so await does not help: make fewer or shorter calls, or "
                + "use another provider.",
        EndpointVerdict.Fine when IsMuchUnclear(row) && !IsMostlyCpuWait(row) =>
            $"{WaitedForCollections(row)}: look at the collections first.",
        EndpointVerdict.CpuBound when row.CeilingPerSecond is null =>
            $"{CpuUsed(row)}: async does not help; less work, a cache or more cores do.",
        EndpointVerdict.CpuBound => $"{CpuUsed(row)}: async does not raise the ceiling of {Now(row)}; less work, a cache or more cores do.",
        EndpointVerdict.NotEnoughData =>
            $"No verdict. Each request held a thread for {FigureText.Ms(row.HeldMs.Mean)} ms and waited for a core "
                + $"for {FigureText.Ms(row.CpuWaitMs.Mean)} ms of that{Unclear(row)}. Run it again while the cores are less busy.",
        EndpointVerdict.AlreadyAsync => $"Each request held a thread for only {FigureText.Ms(row.HeldMs.Mean)} ms; its waits are awaited.",
        EndpointVerdict.Fine when IsMostlyCpuWait(row) =>
            $"Each request held a thread for {FigureText.Ms(row.HeldMs.Mean)} ms and waited for a core "
                + $"for {FigureText.Ms(row.CpuWaitMs.Mean)} ms of that{Unclear(row)}: other work takes the cores.",
        EndpointVerdict.Fine when row.BlockedMs.Mean >= 1 && (Once(row).Length == 0 || IsMuchAllowed(row)) =>
            $"Each request held a thread for {FigureText.Ms(row.HeldMs.Mean)} ms, {FigureText.Ms(row.BlockedMs.Mean)} ms of it blocked "
                + "where that is allowed or changes nothing.",
        EndpointVerdict.Fine => $"Each request held a thread for {FigureText.Ms(row.HeldMs.Mean)} ms: there is nothing to gain.",
        _ => null,
    };

    /// <summary>Where it blocked, marked where that is not all there is to know; empty when nothing was seen.</summary>
    public static string Where(EndpointSide row) => row.WorstSiteIs switch
    {
        null => "",
        SiteCoverage.Fully => $"{row.WorstSite} [{row.WorstSiteKind}]",
        SiteCoverage.Sampled => $"{row.WorstSite} [{row.WorstSiteKind}] (sampled)",
        SiteCoverage.Earlier => $"{row.WorstSite} [{row.WorstSiteKind}] (known from before this run)",
        _ => $"{row.WorstSite} [{row.WorstSiteKind}] ({Part(row)})",
    };

    /// <summary>Whether the place is known and not in the sentence.</summary>
    public static bool NeedsPlace(EndpointSide row) =>
        row is { WorstSite: not null, BlockedMs.Mean: > 0 }
        && row is not { Advice: not null,
            Verdict: EndpointVerdict.AsyncWillHelp or EndpointVerdict.LockContention or EndpointVerdict.ProviderIsSynchronous };

    private static string Blocked(EndpointSide row) =>
        $"Each request held a thread for {FigureText.Ms(row.HeldMs.Mean)} ms and was blocked for {FigureText.Ms(row.BlockedMs.Mean)} ms "
            + "of that";

    // As the server's advice: where most of it is a wait for a core, the CPU time alone would not explain what is held.
    private static string CpuUsed(EndpointSide row) => !IsMostlyCpuWait(row) && IsMuchUnclear(row)
        ? $"{WaitedForCollections(row)}; it used {FigureText.Ms(row.CpuMs.Mean)} ms of CPU"
        : IsMostlyCpuWait(row)
        ? $"Each request held a thread for {FigureText.Ms(row.HeldMs.Mean)} ms, waited for a core for {FigureText.Ms(row.CpuWaitMs.Mean)} "
            + $"ms of that{Unclear(row)}, and used {FigureText.Ms(row.CpuMs.Mean)} ms of CPU"
        : $"Each request used {FigureText.Ms(row.CpuMs.Mean)} ms of CPU";

    private static string Once(EndpointSide row) => row is
    {
        IsOfOneRequest: true, Verdict: EndpointVerdict.CpuBound or EndpointVerdict.AlreadyAsync or EndpointVerdict.Fine,
    }
        ? $" One of the {FigureText.Count(row.Requests, "request")} accounts for most of the "
            + $"{FigureText.Ms(row.BlockedMs.Total - row.AllowedMs)} ms for which they were blocked"
            + (IsMuchAllowed(row) ? " where that is not allowed" : "") + ", and once is no pattern."
        : "";

    private static bool IsMuchAllowed(EndpointSide row) => row.AllowedMs >= row.Requests;

    private static bool IsMostlyCpuWait(EndpointSide row) => EndpointVerdict.MeanOf(row).IsMostlyCpuWait;

    private static bool IsMuchUnclear(EndpointSide row) =>
        BlockedParts.IsMuch(Duration.FromMilliseconds(row.UnclearMs ?? 0), EndpointVerdict.MeanOf(row));

    private static string WaitedForCollections(EndpointSide row) =>
        $"Each request held a thread for {FigureText.Ms(row.HeldMs.Mean)} ms. Garbage collections paused the server "
            + $"for {FigureText.Ms(row.GcMs.Mean + (row.BlockedInGcMs?.Mean ?? 0))} ms of that, so for {FigureText.Ms(row.UnclearMs)} ms nobody "
            + "can tell whether the thread waited for a collection or for something else";

    private static string Unclear(EndpointSide row) => IsMuchUnclear(row)
        ? $", and for another {FigureText.Ms(row.UnclearMs)} ms nobody has seen for what, perhaps for a thread that waits for a core itself"
        : "";

    private static string Place(EndpointSide row) => row.WorstSiteIs switch
    {
        null when row.LookedAt => "; location unknown (Thread.Sleep, file I/O or native code): add AsyncProbe.StackSnapshots to find it",
        null => "; no request of this run was watched, so the location is not known",
        SiteCoverage.Partly => $", in part at {Where(row)}",
        SiteCoverage.Fully when row.WorstSiteMs < row.BlockedMs.Mean / 2 =>
            $", the largest part of it ({FigureText.Ms(row.WorstSiteMs)} ms) at {Where(row)}",
        _ => $", most at {Where(row)}",
    };

    private static string Part(EndpointSide row) => row.WorstSiteMs is { } ms ? $"{FigureText.Ms(ms)} ms a request" : "in part";

    private static string Now(EndpointSide row) =>
        $"{FigureText.Range(row.CeilingPerSecond?.NowLow, row.CeilingPerSecond?.NowHigh)} a second";

    private static string IfAsync(EndpointSide row)
    {
        var ceiling = row.CeilingPerSecond;
        // Of an upper bound, a factor would read as a promise.
        var times = ceiling is { IfAsyncLow: not null, Gain: { } gain }
            ? $" ({FigureText.Times(gain)} with {FigureText.Count((long)(ceiling.Threads ?? 0), "thread")})"
            : "";
        return $"{FigureText.Range(ceiling?.IfAsyncLow, ceiling?.IfAsyncHigh)} a second{times}";
    }
}
