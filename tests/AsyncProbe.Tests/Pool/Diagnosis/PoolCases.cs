using AsyncProbe.Common;
using AsyncProbe.Pool.Diagnosis;
using AsyncProbe.Pool.Sampling;
using AsyncProbe.Rules;

namespace AsyncProbe.Tests.Pool.Diagnosis;

/// <summary>Diagnoses for the tests of the sentences.</summary>
internal static class PoolCases
{
    /// <summary>All of eight threads are blocked at one place.</summary>
    public static PoolDiagnosis Blocked { get; } = new(
        PoolCause.Blocked,
        new PoolSample(DateTime.UnixEpoch, Threads: 8, Pending: 50, Completed: 1, Busy: 8, Duration.Second, Duration.Second),
        8, 8, "GET /orders", 8, "Orders.Load (Orders.cs:42)") { Seen = WaitsSeen.NotLooked };

    public static PoolVerdict Verdict(PoolDiagnosis? diagnosis) => new(PoolCondition.Starved, Blocked.Sample.At, diagnosis);
}
