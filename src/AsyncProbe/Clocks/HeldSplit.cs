namespace AsyncProbe.Clocks;

/// <summary>Where the held time of a segment or of a request went: held = cpu + cpuWait + gc + blocked, in nanoseconds.</summary>
internal readonly record struct HeldSplit(long Held, long Cpu, long CpuWait, long Gc, long Blocked)
{
    /// <summary>A segment too short to be worth a look at the clocks is work.</summary>
    public static HeldSplit AllCpu(long held) => new(held, held, 0, 0, 0);

    /// <summary>
    /// Splits <paramref name="held"/> by what the thread's clocks moved meanwhile.
    /// </summary>
    /// <param name="held">Wall time of the segment.</param>
    /// <param name="cpu">CPU time of the thread.</param>
    /// <param name="cpuWait">Time the thread stood in the run queue of a core; 0 where the platform does not tell.</param>
    /// <param name="gcPause">Time the whole process was paused by the garbage collector.</param>
    /// <param name="mayHaveBlocked">
    /// False when the thread made no voluntary context switch: then it never blocked, and whatever no clock explains is a wait for a core
    /// (a hypervisor or a CPU quota took it away). Without this gate a crowded core makes a CPU loop look blocked.
    /// </param>
    public static HeldSplit Create(long held, long cpu, long cpuWait, long gcPause, bool mayHaveBlocked)
    {
        // A baseline may be some microseconds older than the segment, so each part is cut to what is left.
        cpu = Math.Clamp(cpu, 0, held);
        cpuWait = Math.Clamp(cpuWait, 0, held - cpu);

        // A thread that slept lost nothing to a collection: only the share of the time in which it wanted to run counts.
        var gc = GcShare(held, cpu + cpuWait, gcPause);
        gc = Math.Clamp(gc, 0, held - cpu - cpuWait);

        var rest = held - cpu - cpuWait - gc;
        return mayHaveBlocked
            ? new HeldSplit(held, cpu, cpuWait, gc, rest)
            : new HeldSplit(held, cpu, cpuWait + rest, gc, 0);
    }

    public static HeldSplit operator +(HeldSplit a, HeldSplit b) =>
        new(a.Held + b.Held, a.Cpu + b.Cpu, a.CpuWait + b.CpuWait, a.Gc + b.Gc, a.Blocked + b.Blocked);

    public static HeldSplit operator -(HeldSplit a, HeldSplit b) =>
        new(a.Held - b.Held, a.Cpu - b.Cpu, a.CpuWait - b.CpuWait, a.Gc - b.Gc, a.Blocked - b.Blocked);

    /// <summary>The same proportions for a part of the time.</summary>
    public HeldSplit Scaled(double share)
    {
        var cpu = (long)(Cpu * share);
        var cpuWait = (long)(CpuWait * share);
        var gc = (long)(Gc * share);
        var blocked = (long)(Blocked * share);
        return new HeldSplit(cpu + cpuWait + gc + blocked, cpu, cpuWait, gc, blocked);
    }

    private static long GcShare(long held, long wantedToRun, long gcPause)
    {
        if (gcPause <= 0)
        {
            return 0;
        }

        var outsidePauses = held - gcPause;
        var share = outsidePauses <= 0 ? 1.0 : Math.Clamp((double)wantedToRun / outsidePauses, 0, 1);
        return (long)(gcPause * share);
    }
}
