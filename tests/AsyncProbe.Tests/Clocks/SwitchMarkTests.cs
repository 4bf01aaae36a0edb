using System.Runtime.Versioning;
using AsyncProbe.Clocks;
using AsyncProbe.Common;

namespace AsyncProbe.Tests.Clocks;

[SupportedOSPlatform("linux")]
public sealed class SwitchMarkTests
{
    // A mark that stays set would turn blocked time into CPU time.
    [Fact]
    public void Mark_IsNeverSet_AfterTheThreadHasWaited()
    {
        var mark = SwitchMark.OfCurrentThread();
        if (!mark.IsUsable)
        {
            return;
        }

        var waits = 0;
        for (var i = 0; i < 300; i++)
        {
            var before = LinuxThreadClock.VoluntarySwitches();
            mark.Set();
            Wait(i);
            var isSet = mark.IsSet;
            if (LinuxThreadClock.VoluntarySwitches() != before)
            {
                waits++;
                isSet.ShouldBeFalse();
            }
        }

        waits.ShouldBeGreaterThan(0);
    }

    [Fact]
    public void Mark_IsNotSet_WhenTheThreadSetAnother()
    {
        var (first, second) = (SwitchMark.OfCurrentThread(), SwitchMark.OfCurrentThread());
        if (!first.IsUsable)
        {
            return;
        }

        first.Set();
        second.Set();

        first.IsSet.ShouldBeFalse();
    }

    [Fact]
    public void Reading_GoesOnWithoutASystemCall_WhileTheThreadKeepsItsCore()
    {
        var reading = ThreadClock.NewReading();
        if (!reading.Mark.IsUsable)
        {
            return;
        }

        var self = ThreadIdentity.OfCurrentThread();
        try
        {
            // The thread may lose its core in one of these attempts, but hardly in all of them.
            var hasContinued = false;
            for (var i = 0; i < 1000 && !hasContinued; i++)
            {
                ThreadClock.Read(in self, ref reading, Timestamp.Now());
                reading.At = Timestamp.Now();
                var (at, cpu) = (reading.At, reading.Cpu);
                hasContinued = ThreadClock.TryContinue(ref reading, Timestamp.Now());
                (reading.Cpu - cpu).ShouldBe(reading.At - at);
            }

            hasContinued.ShouldBeTrue();
        }
        finally
        {
            self.Release();
        }
    }

    private static void Wait(int how)
    {
        switch (how % 3)
        {
            case 0:
                Thread.Sleep(1);
                break;
            case 1:
                Thread.Yield();
                break;
            default:
                Task.Delay(1).Wait();
                break;
        }
    }
}
