using AsyncProbe.Common;

namespace AsyncProbe.Tests.Common;

/// <summary>A failure on a thread of AsyncProbe doesn't end the process; otherwise this process would end.</summary>
public sealed class OwnThreadTests
{
    private const int Runs = OwnThread.MostRestarts + 1;

    [Fact]
    public async Task LastingThread_BeginsAgain_WhenItFails()
    {
        var (runs, ends) = (0, 0);
        var thread = OwnThread.StartLasting(
            OwnThreadRole.Window,
            () =>
            {
                if (Interlocked.Increment(ref runs) < 3)
                {
                    throw new InvalidOperationException("fails twice");
                }
            },
            () => Interlocked.Increment(ref ends),
            firstPauseMs: 1);

        await Eventually.TrueAsync(() => thread.HasEnded, "it goes on for ever");

        runs.ShouldBe(3);
        ends.ShouldBe(1);
        OwnThread.WhatIsOff().ShouldBeEmpty();
    }

    [Fact]
    public async Task LastingThread_IsOffAndTheReportSaysSo_WhenItKeepsFailing()
    {
        var (faults, runs, ends) = (Faults(), 0, 0);
        var thread = OwnThread.StartLasting(
            OwnThreadRole.Lifeline,
            () =>
            {
                Interlocked.Increment(ref runs);
                throw new InsufficientMemoryException();
            },
            () => Interlocked.Increment(ref ends),
            firstPauseMs: 1);

        await Eventually.TrueAsync(() => thread.HasEnded, "it goes on for ever");

        runs.ShouldBe(Runs);
        ends.ShouldBe(1);
        faults.Count.ShouldBe(Runs);
        OwnThread.WhatIsOff().ShouldHaveSingleItem().ShouldStartWith("lifeline: ");

        OwnThread.StartLasting(OwnThreadRole.Lifeline, () => { }).WaitForEnd();
        OwnThread.WhatIsOff().ShouldBeEmpty("another host's works");
    }

    [Fact]
    public async Task LastingThread_EndsAtOnce_WhenItIsAskedToInAPause()
    {
        using var hasFailed = new ManualResetEventSlim();
        var thread = OwnThread.StartLasting(
            OwnThreadRole.Window,
            () =>
            {
                if (hasFailed.IsSet)
                {
                    return;
                }

                hasFailed.Set();
                throw new InvalidOperationException("a long pause follows");
            },
            firstPauseMs: (int)ProbedApp.Timeout.TotalMilliseconds * 10);
        hasFailed.Wait(ProbedApp.Timeout).ShouldBeTrue();

        await Task.Run(thread.WaitForEnd).WaitAsync(ProbedApp.Timeout);
    }

    [Fact]
    public async Task ShortThread_RunsOnce_WhenItFails()
    {
        var (faults, runs) = (Faults(), 0);
        var thread = OwnThread.StartOnce(
            OwnThreadRole.Snapshot,
            () =>
            {
                Interlocked.Increment(ref runs);
                throw new InsufficientMemoryException();
            });

        await Eventually.TrueAsync(() => thread.HasEnded, "it goes on for ever");

        runs.ShouldBe(1);
        faults.Count.ShouldBe(1);
    }

    private static Faults Faults() => new(Microsoft.Extensions.Logging.Abstractions.NullLogger<Faults>.Instance);
}
