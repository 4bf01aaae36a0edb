using AsyncProbe.Common;

namespace AsyncProbe.Clocks;

/// <summary>What a thread's clocks showed at one moment.</summary>
internal struct ThreadReading
{
    /// <summary>Set when the clocks were read. Unusable except in the thread's slot on Linux.</summary>
    public SwitchMark Mark;

    /// <summary>When it was taken.</summary>
    public Timestamp At;

    public Duration Cpu;

    /// <summary>When <see cref="Cpu"/> was last asked of the thread's own clock, and not concluded from the other.</summary>
    public Timestamp CpuReadAt;

    /// <summary>Time in the run queue, ready and without a core.</summary>
    public Duration CpuWait;

    /// <summary>How often the thread gave up its core of its own accord: it only does so to wait for something.</summary>
    public long VoluntarySwitches;

    /// <summary>How often the thread left its core, of its own accord or not.</summary>
    public long Switches;

    public Duration GcPause;

    /// <summary>How long the whole process had stood still.</summary>
    public Duration Stopped;
}
