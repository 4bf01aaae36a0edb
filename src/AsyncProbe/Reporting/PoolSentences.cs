using System.Globalization;
using System.Text.Json;
using AsyncProbe.Pool;
using AsyncProbe.Requests;

namespace AsyncProbe.Reporting;

/// <summary>What the pool suffers from and what helps, as sentences with the numbers.</summary>
internal static class PoolSentences
{
    public static string Name(PoolCause cause) => JsonNamingPolicy.CamelCase.ConvertName(cause.ToString());

    public static string Name(PoolCondition condition) => JsonNamingPolicy.CamelCase.ConvertName(condition.ToString());

    public static string Figures(PoolSample sample) => Format(
        $"a work item waits {Words.Milliseconds(sample.QueueDelayNs)} for a pool thread, {Words.Count(sample.Pending, "item")} wait, {sample.Busy} of {Words.Count(sample.Threads, "thread")} are busy");

    /// <summary>Why.</summary>
    public static string Explain(PoolVerdict verdict)
    {
        if (verdict.Diagnosis is not { } d)
        {
            return "";
        }

        return d.Cause switch
        {
            PoolCause.Deadlock =>
                $"All {Words.Count(d.Sample.Threads, "thread")} wait for work that needs a pool thread, and the pool may have no more than {Words.Count(d.Sample.MaximumThreads, "thread")}: nothing can finish. {Where(d, "wait in")}",
            PoolCause.Blocked => $"{d.Blocked} of {Words.Count(d.Sample.Busy, "busy thread")} are blocked in requests and do nothing. {Where(d, "are blocked in")}",
            PoolCause.Cpu => Format($"The process uses {d.Sample.Load.CpuPercent:0} % of {Cores.InForce:0.##} cores, and {d.InRequests - d.Blocked} threads work or wait for a core.")
                + (d.Endpoint is null ? "" : $" Most of them ({d.EndpointThreads}) run {d.Endpoint}."),
            PoolCause.Gc => Format($"The garbage collector paused the process for {d.Sample.Load.GcPercent:0} % of the last second."),
            _ => $"{d.InRequests} of {Words.Count(d.Sample.Busy, "busy thread")} are in a request for longer than 10 ms ({d.Blocked} of them blocked); the others run short requests or work outside of requests.",
        };
    }

    /// <summary>What helps.</summary>
    public static string Advise(PoolVerdict verdict) => verdict.Diagnosis switch
    {
        null => "",
        { Cause: PoolCause.Deadlock } d =>
            $"Await instead of waiting. Until then raise the maximum of {d.Sample.MaximumThreads} (ThreadPool.SetMaxThreads), or leave it at its default.",
        { Cause: PoolCause.Blocked } d => "Await there instead of blocking." + Minimum(d),
        { Cause: PoolCause.Cpu } => "More threads will not help and async will not either: less work a request, a cache or more cores will.",
        { Cause: PoolCause.Gc } => "Allocate less, or give the process more memory; more threads will not help.",
        { } d => "Look for background work that occupies pool threads (Task.Run, timers, hosted services)." + Minimum(d),
    };

    private static string Where(PoolDiagnosis d, string verb) =>
        d.Endpoint is null ? "" : $"Most of them ({d.EndpointThreads}) {verb} {d.Endpoint}{Site(d)}.";

    private static string Site(PoolDiagnosis d) =>
        d.Site is not null ? $" at {d.Site}"
        : d.IsSiteUnseen ? $" ({Reporting.Advice.NoManagedWait})"
        : d.Seen == WaitsSeen.NotLooked ? $" ({Reporting.Advice.NotLooked})"
        : "";

    private static string Minimum(PoolDiagnosis d) =>
        d.HelpfulMinimum > d.Sample.MinimumThreads
            ? $" Until then a minimum of {d.HelpfulMinimum} threads (now {d.Sample.MinimumThreads}) lets the pool grow at once: ThreadPool.SetMinThreads, or ThreadPoolMinThreads in the project file."
            : "";

    private static string Format(FormattableString text) => text.ToString(CultureInfo.InvariantCulture);
}
