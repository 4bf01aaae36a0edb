using Microsoft.Extensions.Logging;

namespace AsyncProbe.Common;

/// <summary>
/// All of AsyncProbe's log messages. The event ids are stable; figures are structured values with their unit in the name.
/// </summary>
internal static partial class Log
{
    private const string SiteSentence = "{Endpoint} blocked a pool thread for {BlockedMs:0.##} ms at {Site} ({Kind}): {Remedy}.";

    [LoggerMessage(2, LogLevel.Warning,
        "UseAsyncProbe is called in a branch after UseOutputCache, so cache hits do not reach it: they are not counted and carry no "
            + "headers. Call it on the app itself.")]
    public static partial void BehindOutputCache(ILogger logger);

    [LoggerMessage(3, LogLevel.Debug, "AsyncProbe, or a listener of it, threw an exception. The application is not affected.")]
    public static partial void Fault(ILogger logger, Exception exception);

    [LoggerMessage(4, LogLevel.Information,
        "The report at {Routes} answers 404 to every caller, because outside Development the app has to say who may see it. Add "
            + "RequireAuthorization() to MapAsyncProbe(), or set AsyncProbe:ManagementPort, AsyncProbe:AllowLocal (on a machine without a "
            + "proxy) or AsyncProbe:AllowRemote (in a closed network).")]
    public static partial void ReportClosed(ILogger logger, string routes);

    [LoggerMessage(5, LogLevel.Debug, "AsyncProbe could not list the app's endpoints, so it can't say where the report is or who may see it.")]
    public static partial void EndpointsUnknown(ILogger logger, Exception exception);

    [LoggerMessage(6, LogLevel.Information, "The live page of AsyncProbe is at {Address}.")]
    public static partial void PageAt(ILogger logger, string address);

    [LoggerMessage(7, LogLevel.Information,
        "A request for the report got 404 because its host name is not localhost, an IP address or this machine's name: a web page of another "
            + "site can point its own name here. If the name is yours, set AsyncProbe:AllowRemote.")]
    public static partial void ForeignName(ILogger logger);

    [LoggerMessage(18, LogLevel.Information,
        "AsyncProbe measures the operations of this host, which has no web server to show them. Set AsyncProbe:LifelinePort to a free "
            + "port to see the live page in a browser on this machine.")]
    public static partial void WorkerMeasured(ILogger logger);

    [LoggerMessage(8, LogLevel.Warning,
        "AsyncProbe:ManagementPort is {Port}, but the server doesn't listen on that port. Add it to the server's addresses, for example "
            + "ASPNETCORE_URLS=\"{Addresses}\".")]
    public static partial void ManagementPortUnused(ILogger logger, int port, string addresses);

    [LoggerMessage(9, LogLevel.Information,
        "AsyncProbe is switched off (AsyncProbe:Enabled is false). It measures nothing, and the report at {Routes} is empty.")]
    public static partial void SwitchedOff(ILogger logger, string routes);

    [LoggerMessage(10, LogLevel.Warning, SiteSentence)]
    public static partial void SiteFound(ILogger logger, string endpoint, double blockedMs, string site, string kind, string remedy);

    [LoggerMessage(11, LogLevel.Debug, SiteSentence, EventName = "SiteFoundQuietly")]
    public static partial void SiteFoundQuietly(ILogger logger, string endpoint, double blockedMs, string site, string kind, string remedy);

    [LoggerMessage(12, LogLevel.Debug, "{Site} ({Kind}) has blocked a pool thread {Count} times so far, {TotalMs:0.##} ms in total.")]
    public static partial void SiteAgain(ILogger logger, string site, string kind, long count, double totalMs);

    [LoggerMessage(13, LogLevel.Debug,
        "{Endpoint} blocked a pool thread for {BlockedMs:0.##} ms at {Site} ({Kind}), which is allowed: {Reason}")]
    public static partial void SiteAllowed(ILogger logger, string endpoint, double blockedMs, string site, string kind, string reason);

    private const string SampledSentence = "A stack snapshot saw {Endpoint} block a pool thread for {BlockedMs:0.##} ms at {Site} "
        + "({Kind}): {Remedy}.";

    [LoggerMessage(15, LogLevel.Warning, SampledSentence)]
    public static partial void SiteSampled(ILogger logger, string endpoint, double blockedMs, string site, string kind, string remedy);

    [LoggerMessage(16, LogLevel.Debug, SampledSentence, EventName = "SiteSampledQuietly")]
    public static partial void SiteSampledQuietly(
        ILogger logger, string endpoint, double blockedMs, string site, string kind, string remedy);

    [LoggerMessage(17, LogLevel.Warning,
        "Stack snapshots are not possible here, so Thread.Sleep, file I/O and native code count as blocked but have no call site. "
            + "{Reason}")]
    public static partial void NoSnapshots(ILogger logger, string reason);

    [LoggerMessage(14, LogLevel.Warning, "The self-test of the wait hook {Result}.")]
    public static partial void SelfTestFailed(ILogger logger, string result);

    private const string PoolFigures = "queue delay {QueueDelayMs:0.##} ms, pending work items {Pending}, busy threads {Busy} of {Threads}";

    [LoggerMessage(30, LogLevel.Warning, "The thread pool is starved, cause {Cause}: " + PoolFigures + ". {Explanation} {Advice}")]
    public static partial void PoolStarved(
        ILogger logger, string cause, double queueDelayMs, long pending, int busy, int threads, string explanation, string advice);

    [LoggerMessage(31, LogLevel.Information, "The thread pool queues, cause {Cause}: " + PoolFigures + ". {Explanation}")]
    public static partial void PoolQueueing(
        ILogger logger, string cause, double queueDelayMs, long pending, int busy, int threads, string explanation);

    [LoggerMessage(32, LogLevel.Information,
        "The thread pool recovered after {LastedSeconds:0.#} s ({StarvedSeconds:0.#} s starved); longest queue delay "
            + "{LongestQueueDelaySeconds:0.0#} s; "
        + "{Threads} threads now.")]
    public static partial void PoolHealthy(
        ILogger logger, double lastedSeconds, double starvedSeconds, double longestQueueDelaySeconds, int threads);

    [LoggerMessage(35, LogLevel.Information,
        "The thread pool is no longer starved after {LastedSeconds:0.#} s, but work items still wait: longest queue delay "
            + "{QueueDelayMs:0.##} ms in the last second.")]
    public static partial void PoolStillQueues(ILogger logger, double lastedSeconds, double queueDelayMs);

    [LoggerMessage(33, LogLevel.Error,
        "The lifeline cannot listen on loopback port {Port}: {Reason}. If the port is taken, set AsyncProbe:LifelinePort to a free "
            + "one. The application goes on without the lifeline.")]
    public static partial void LifelineFailed(ILogger logger, int port, string reason);

    [LoggerMessage(36, LogLevel.Information,
        "The lifeline of AsyncProbe is at {Address}. It serves the live page on this machine even while no pool thread is free.")]
    public static partial void LifelineListens(ILogger logger, string address);

    [LoggerMessage(34, LogLevel.Error, "The lifeline could not write the report and answered 500.")]
    public static partial void LifelineReportFailed(ILogger logger, Exception exception);
}
