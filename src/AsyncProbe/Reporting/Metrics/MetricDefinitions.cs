namespace AsyncProbe.Reporting.Metrics;

/// <summary>All metrics.</summary>
internal static class MetricDefinitions
{
    public static readonly HeldPart[] Requests = HeldPart.CreateAll("request", "a request");

    public static readonly HeldPart[] Operations = HeldPart.CreateAll("operation", "an operation");

    public static readonly MetricDefinition Explained = new(
        MetricType.Gauge,
        "asyncprobe.blocking.explained",
        "1",
        "Share of blocked time that call sites account for, of the requests that were watched.");

    public static readonly MetricDefinition BlockingTime = new(
        MetricType.Counter, "asyncprobe.blocking.time", "s",
        "How long threads were seen blocked at a call site. Only some requests are watched.");

    public static readonly MetricDefinition BlockingCalls = new(
        MetricType.Counter, "asyncprobe.blocking.calls", "{call}", "Blocking waits that the wait hook has seen.");

    public static readonly MetricDefinition QueueDelay = new(
        MetricType.Gauge, "asyncprobe.thread_pool.queue_delay", "s", "How long a work item waits for a pool thread.");

    public static readonly MetricDefinition BlockedThreads = new(
        MetricType.Gauge, "asyncprobe.thread_pool.blocked_threads", "{thread}",
        "Pool threads that a request or an operation holds and that do nothing.");

    public static readonly MetricDefinition State = new(
        MetricType.Gauge, "asyncprobe.thread_pool.state", "{state}", "1 for the state that the pool is in, 0 for the others.");

    public static readonly MetricDefinition BuildInfo = new(
        MetricType.Gauge, "asyncprobe.build_info", "{build}",
        "Always 1; its tags tell the version of AsyncProbe and how it looks for call sites.");

    // Like the runtime's dotnet.thread_pool.*, but read at the same moment as the blocked threads: with figures from two moments, the share
    // of blocked threads could exceed 1. Also, the Prometheus text doesn't include the runtime's meter.
    public static readonly MetricDefinition Threads = new(
        MetricType.Gauge, "asyncprobe.thread_pool.threads", "{thread}", "Pool threads, at the moment of the blocked ones.");

    public static readonly MetricDefinition Pending = new(
        MetricType.Gauge, "asyncprobe.thread_pool.pending", "{work_item}", "Work items that wait for a pool thread, at the same moment.");
}
