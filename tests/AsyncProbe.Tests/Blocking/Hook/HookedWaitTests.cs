using System.Diagnostics;
using AsyncProbe.Blocking.Hook;
using AsyncProbe.Clocks;
using AsyncProbe.Common;
using AsyncProbe.Requests;

namespace AsyncProbe.Tests.Blocking.Hook;

/// <summary>How long the hook says that a wait blocked its thread.</summary>
public sealed class HookedWaitTests : IWaitSink
{
    private const int ShortMs = 5;
    private const int LongMs = 40;

    private Duration _waits;

    // The time for which the thread had no core, or computed, was once counted as blocked.
    [Fact]
    public async Task Wait_HasNoMoreBlockedTimeThanItsSegment_WhenItsThreadComputes()
    {
        var segment = await MeasureAsync(() => During(() => Compute(LongMs)));

        _waits.ShouldBeLessThanOrEqualTo(segment.Blocked);
    }

    [Fact]
    public async Task Wait_HasOnlyItsBlockedTime_WhenItsThreadSleepsAndThenComputes()
    {
        var segment = await MeasureAsync(() => During(() =>
        {
            Thread.Sleep(LongMs);
            Compute(LongMs);
        }));

        _waits.ShouldBeLessThanOrEqualTo(segment.Blocked);
        _waits.ShouldBeGreaterThan(Duration.FromMilliseconds(LongMs / 2));
    }

    [Fact]
    public async Task Waits_AddUpToAtMostTheirSegment_WhateverComesInBetween()
    {
        var segment = await MeasureAsync(() =>
        {
            for (var i = 0; i < 20; i++)
            {
                Compute(i % 3);
                During(() =>
                {
                    Thread.Sleep(ShortMs);
                    Compute(i % 2);
                });
                if (i % 4 == 0)
                {
                    GC.Collect();
                }
            }
        });

        _waits.ShouldBeLessThanOrEqualTo(segment.Blocked);
        _waits.ShouldBeGreaterThan(Duration.FromMilliseconds(ShortMs));
    }

    LiveWait? IWaitSink.Attribute(StackTrace stack, RequestProbe probe, int osThreadId) => null;

    void IWaitSink.End(Duration blocked, StackTrace stack)
    {
    }

    private static void Compute(int ms)
    {
        var begin = Stopwatch.GetTimestamp();
        while (Stopwatch.GetElapsedTime(begin).TotalMilliseconds < ms)
        {
            // Deliberately busy.
        }
    }

    private static async Task<HeldSplit> MeasureAsync(Action code)
    {
        var probe = new RequestProbe();
        await Task.Run(() =>
        {
            var saved = ThreadSegments.Enter(probe);
            try
            {
                code();
            }
            finally
            {
                ThreadSegments.Exit(probe, saved);
            }
        }).WaitAsync(ProbedApp.Timeout);
        return probe.Closed();
    }

    private void During(Action code)
    {
        var wait = HookedWait.Begin(this, stack: null);
        code();
        _waits += wait.End(Duration.Millisecond);
    }
}
