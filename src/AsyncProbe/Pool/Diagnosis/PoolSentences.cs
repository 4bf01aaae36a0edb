using System.Globalization;
using System.Text.Json;
using AsyncProbe.Clocks;
using AsyncProbe.Common;
using AsyncProbe.Pool.Sampling;
using AsyncProbe.Rules;

namespace AsyncProbe.Pool.Diagnosis;

/// <summary>Sentences, with figures, about what is wrong with the pool and what helps.</summary>
internal static class PoolSentences
{
    public static string Name(PoolCause cause) => JsonNamingPolicy.CamelCase.ConvertName(cause.ToString());

    public static string Name(PoolCondition condition) => JsonNamingPolicy.CamelCase.ConvertName(condition.ToString());

    public static string Figures(PoolSample sample) => Format(
        $"a work item waits {Words.Milliseconds(sample.QueueDelay)} for a pool thread, {Words.Count(sample.Pending, "item")} wait, {sample.Busy} of {Words.Count(sample.Threads, "thread")} are busy");

    /// <summary>The figures from the same moment as <see cref="Explain"/>.</summary>
    public static PoolSample SampleOf(PoolVerdict verdict, PoolSample latest) =>
        verdict.Diagnosis is { IsPast: false } diagnosis ? diagnosis.Sample : latest;

    /// <summary>Explains the cause.</summary>
    public static string Explain(PoolVerdict verdict)
    {
        if (verdict.Diagnosis is not { } d)
        {
            return "";
        }

        return (d.IsPast ? "A moment ago: " : "") + d.Cause switch
        {
            PoolCause.Deadlock =>
                $"All {Words.Count(d.Sample.Threads, "thread")} wait for work that needs a pool thread, and the pool's maximum is {Words.Count(d.Sample.MaximumThreads, "thread")}, so nothing can finish.{Where(d, d.Blocked, "waits in", "wait in")}",
            PoolCause.Blocked or PoolCause.Unknown when d.IsUnclaimed =>
                $"{d.Sample.Unclaimed} of {Words.Count(d.Sample.Busy, "busy thread")} {(d.Sample.Unclaimed == 1 ? "runs" : "run")} neither a request nor an operation"
                + (d.Cause == PoolCause.Blocked ? $", and {d.UnclaimedIdle} of those do nothing" : "")
                + (d.Site is null ? "." : $"; most of those that were looked at are at {d.Site}."),
            PoolCause.Blocked => d.Sample.Busy == 1
                ? $"The one busy thread is blocked in {In(d, 1)} and does nothing.{Where(d, d.Blocked, "is blocked in", "are blocked in")}"
                : $"{d.Blocked} of {Words.Count(d.Sample.Busy, "busy thread")} {(d.Blocked == 1 ? "is" : "are")} blocked in {In(d, d.Blocked)} and {(d.Blocked == 1 ? "does" : "do")} nothing.{Where(d, d.Blocked, "is blocked in", "are blocked in")}",
            PoolCause.Cpu => Format($"The process {(d.IsCrowdedOut ? "gets only" : "uses")} {d.Sample.Load.CpuPercent:0} % of {Cores.InForce:0.##} cores")
                + (d.IsCrowdedOut ? " because others have them" : "")
                + (d.InRequests - d.Blocked is > 0 and var working
                    ? $", and {Words.Count(working, "thread")} {(working == 1 ? "works or waits" : "work or wait")} for a core in {In(d, 2)}"
                    : "")
                + "." + Where(d, d.InRequests - d.Blocked, "runs", "run"),
            PoolCause.Gc => Format($"The garbage collector paused the process for {d.Sample.Load.GcPercent:0} % of the last second."),
            _ => InWhat(d),
        };
    }

    /// <summary>Says what helps.</summary>
    /// <param name="verdict">The verdict on the pool.</param>
    /// <param name="withMinimum">Whether to include the minimum number of threads that would help.</param>
    public static string Advise(PoolVerdict verdict, bool withMinimum = true) => verdict.Diagnosis switch
    {
        null => "",
        { Cause: PoolCause.Deadlock } d =>
            $"Await instead of waiting. Until then leave the maximum at its default, or raise it from {d.Sample.MaximumThreads}{Setting(d)}",
        { IsUnclaimed: true, Cause: PoolCause.Blocked or PoolCause.Unknown } d => OutsideRequests(d) + (withMinimum ? Minimum(d) : ""),
        { Cause: PoolCause.Blocked } d => Await(d) + (withMinimum ? Minimum(d) : ""),
        { Cause: PoolCause.Cpu, IsCrowdedOut: true } =>
            "Give the process more of the cores, or move the other work elsewhere. More threads will not help, and neither will async.",
        { Cause: PoolCause.Cpu } =>
            "Neither more threads nor async will help: less work per request, a cache or more cores will.",
        { Cause: PoolCause.Gc } => "Allocate less, or give the process more memory; more threads will not help.",
        _ => "Look for background work that occupies pool threads (Task.Run, timers, hosted services).",
    };

    private static string OutsideRequests(PoolDiagnosis d) =>
        d.Site is not null
            ? d.Cause == PoolCause.Blocked ? "Await there instead of blocking." : "Look there first."
            : "Look for timers, Task.Run and hosted services that block. To see their work in the report, start it with AsyncProbeOperation.Start"
                + (d.HasSnapshots ? "." : "; to see the lines, add AsyncProbe.StackSnapshots.");

    private static string Await(PoolDiagnosis d) =>
        d.Remedy is not null ? d.Remedy
        : d.Site is not null ? "Await there instead of blocking."
        : d.IsSiteUnseen
            ? "Find there what sleeps, reads files or calls native code, and await instead." + WaitsSeenTexts.Hint(d.HasSnapshots)
        : "Await instead of blocking.";

    private static string InWhat(PoolDiagnosis d)
    {
        const string Rest = "run shorter ones, or work outside of requests and operations.";
        var busy = Words.Count(d.Sample.Busy, "busy thread");
        return d.InRequests switch
        {
            0 => $"None of {busy} has been in a request or an operation for longer than 10 ms; they {Rest}",
            1 => $"1 of {busy} has been in {In(d, 1)} for longer than 10 ms{(d.Blocked == 1 ? " and is blocked" : "")}; the others {Rest}",
            var seen => $"{seen} of {busy} have been in {In(d, seen)} for longer than 10 ms ({d.Blocked} of them blocked); the others {Rest}",
        };
    }

    private static string In(PoolDiagnosis d, int threads) => (d.InOperations, threads) switch
    {
        (0, 1) => "a request",
        (0, _) => "requests",
        (var operations, 1) => operations >= d.InRequests ? "an operation" : "a request or an operation",
        (var operations, _) => operations >= d.InRequests ? "operations" : "requests and operations",
    };

    // Say "most" only for more than half, and avoid the plural for one thread.
    private static string Where(PoolDiagnosis d, int all, string one, string many) =>
        d.Endpoint is null || d.EndpointThreads == 0 ? ""
        : all == 1 ? $" It {one} {d.Endpoint}{Site(d)}."
        : d.EndpointThreads == 1 ? $" One of them {one} {d.Endpoint}{Site(d)}."
        : d.EndpointThreads >= all ? $" All of them {many} {d.Endpoint}{Site(d)}."
        : d.EndpointThreads * 2 > all ? $" Most of them ({d.EndpointThreads}) {many} {d.Endpoint}{Site(d)}."
        : $" {d.EndpointThreads} of them {many} {d.Endpoint}{Site(d)}.";

    private static string Site(PoolDiagnosis d) =>
        d.Cause == PoolCause.Cpu ? ""
        : d.Site is not null ? $" at {d.Site}"
        : d.IsSiteUnseen ? $", {WaitsSeenTexts.Unknown}"
        : d.Seen == WaitsSeen.NotLooked ? $", {(d.WillLook ? WaitsSeenTexts.NotLooked : WaitsSeenTexts.DetectionIsOff)}"
        : "";

    private static string Minimum(PoolDiagnosis d) =>
        d.RecommendedMinimum is { } minimum
            ? $" Until then a minimum of {minimum} threads (now {d.Sample.MinimumThreads}) lets the pool grow at once{Setting(d)}"
            : "";

    private static string Setting(PoolDiagnosis d) =>
        d.DoNow is { } setting ? $": restart with {setting.Environment} (hexadecimal) in the environment, or call {setting.Code}." : ".";

    private static string Format(FormattableString text) => text.ToString(CultureInfo.InvariantCulture);
}
