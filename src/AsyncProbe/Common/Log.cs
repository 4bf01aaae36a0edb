using Microsoft.Extensions.Logging;

namespace AsyncProbe.Common;

/// <summary>Every sentence AsyncProbe logs. The event ids are stable.</summary>
internal static partial class Log
{
    private const string SiteSentence = "{Endpoint} blocked a pool thread for {Lasted} at {Site} ({Kind}): {Remedy}. See {Link}";

    [LoggerMessage(2, LogLevel.Warning,
        "UseAsyncProbe stands in a branch behind UseOutputCache, so cache hits pass it by: they are not counted and carry no headers. Call it on the app itself.")]
    public static partial void BehindOutputCache(ILogger logger);

    [LoggerMessage(3, LogLevel.Debug, "Something failed in AsyncProbe, or in what listens to it; the application was kept from it.")]
    public static partial void Fault(ILogger logger, Exception exception);

    [LoggerMessage(4, LogLevel.Information,
        "The report at {Routes} answers everybody with 404: outside Development the app has to say who may see it. Add RequireAuthorization() to MapAsyncProbe(), "
        + "or set AsyncProbe:ManagementPort, AsyncProbe:AllowLocal (on a machine without a proxy) or AsyncProbe:AllowRemote (in a closed network).")]
    public static partial void ReportClosed(ILogger logger, string routes);

    [LoggerMessage(5, LogLevel.Debug, "The endpoints could not be listed, so it is not known whether anybody may see the report.")]
    public static partial void EndpointsUnknown(ILogger logger, Exception exception);

    [LoggerMessage(10, LogLevel.Warning, SiteSentence)]
    public static partial void SiteFound(ILogger logger, string endpoint, string lasted, string site, string kind, string remedy, string link);

    [LoggerMessage(11, LogLevel.Debug, SiteSentence, EventName = "SiteFoundQuietly")]
    public static partial void SiteFoundQuietly(ILogger logger, string endpoint, string lasted, string site, string kind, string remedy, string link);

    [LoggerMessage(12, LogLevel.Debug, "{Site} ({Kind}) was seen to block {Times} by now, {Total} in all.")]
    public static partial void SiteAgain(ILogger logger, string site, string kind, string times, string total);

    [LoggerMessage(13, LogLevel.Debug, "{Endpoint} blocked a pool thread for {Lasted} at {Site} ({Kind}), which is allowed: {Reason}")]
    public static partial void SiteAllowed(ILogger logger, string endpoint, string lasted, string site, string kind, string reason);

    private const string SampledSentence = "A stack snapshot saw {Endpoint} block a pool thread for {Lasted} at {Site} ({Kind}): {Remedy}. See {Link}";

    [LoggerMessage(15, LogLevel.Warning, SampledSentence)]
    public static partial void SiteSampled(ILogger logger, string endpoint, string lasted, string site, string kind, string remedy, string link);

    [LoggerMessage(16, LogLevel.Debug, SampledSentence, EventName = "SiteSampledQuietly")]
    public static partial void SiteSampledQuietly(ILogger logger, string endpoint, string lasted, string site, string kind, string remedy, string link);

    [LoggerMessage(17, LogLevel.Warning, "No stack snapshots can be taken, so Thread.Sleep, file I/O and native code are counted and not named. {Reason}")]
    public static partial void NoSnapshots(ILogger logger, string reason);

    [LoggerMessage(14, LogLevel.Warning, "The self-test of the wait hook {Result}.")]
    public static partial void SelfTestFailed(ILogger logger, string result);

    [LoggerMessage(30, LogLevel.Warning, "The thread pool is starved, cause {Cause}: {Figures}. {Explanation} {Advice}")]
    public static partial void PoolStarved(ILogger logger, string cause, string figures, string explanation, string advice);

    [LoggerMessage(31, LogLevel.Information, "The thread pool queues, cause {Cause}: {Figures}. {Explanation}")]
    public static partial void PoolQueueing(ILogger logger, string cause, string figures, string explanation);

    [LoggerMessage(32, LogLevel.Information,
        "The thread pool is healthy again after {Lasted} of being {Condition}. The longest queue delay was {LongestDelay}; the pool has {Threads} threads now.")]
    public static partial void PoolHealthy(ILogger logger, string lasted, string condition, string longestDelay, int threads);

    [LoggerMessage(35, LogLevel.Information,
        "The thread pool is no longer starved after {Lasted}, but it still queues: work items waited up to {Delay} for a pool thread in the last second.")]
    public static partial void PoolStillQueues(ILogger logger, string lasted, string delay);

    [LoggerMessage(33, LogLevel.Error, "The lifeline cannot listen on loopback port {Port}: {Reason}. Set AsyncProbe:LifelinePort to a free port. The application goes on without it.")]
    public static partial void LifelineFailed(ILogger logger, int port, string reason);

    [LoggerMessage(34, LogLevel.Error, "The lifeline could not make a report.")]
    public static partial void LifelineReportFailed(ILogger logger, Exception exception);
}
