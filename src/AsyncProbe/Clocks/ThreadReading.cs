using AsyncProbe.Common;

namespace AsyncProbe.Clocks;

/// <summary>What a thread's clocks showed at one moment. All but the count are nanoseconds.</summary>
internal struct ThreadReading
{
    /// <summary>When it was taken, on the clock of <see cref="Nanoseconds.Now"/>.</summary>
    public long At;

    public long Cpu;

    /// <summary>When <see cref="Cpu"/> was last asked of the thread's own clock, and not concluded from the other.</summary>
    public long CpuReadAt;

    /// <summary>Time in the run queue, ready and without a core.</summary>
    public long CpuWait;

    /// <summary>How often the thread gave up its core of its own accord: it only does so to wait for something.</summary>
    public long VoluntarySwitches;

    /// <summary>How often the thread left its core, of its own accord or not.</summary>
    public long Switches;

    public long GcPause;

    /// <summary>How long the whole process had stood still.</summary>
    public long Stopped;
}
