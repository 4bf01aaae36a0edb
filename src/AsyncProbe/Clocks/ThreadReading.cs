using AsyncProbe.Common;

namespace AsyncProbe.Clocks;

/// <summary>What a thread's clocks showed at one moment.</summary>
internal struct ThreadReading
{
    /// <summary>Set when the clocks are read. Usable only in the thread's slot on Linux.</summary>
    public SwitchMark Mark;

    /// <summary>When the reading was taken.</summary>
    public Timestamp At;

    public Duration Cpu;

    /// <summary>When <see cref="Cpu"/> was last read from the thread's own clock instead of inferred from the wall clock.</summary>
    public Timestamp CpuReadAt;

    /// <summary>Time in the run queue: ready, but without a core.</summary>
    public Duration CpuWait;

    /// <summary>How often the thread gave up its core voluntarily, which it only does to wait for something.</summary>
    public long VoluntarySwitches;

    /// <summary>How often the thread left its core, voluntarily or not.</summary>
    public long Switches;

    public Duration GcPause;

    /// <summary>How long the whole process has stood still.</summary>
    public Duration Stopped;
}
