using AsyncProbe.Common;

namespace AsyncProbe.Clocks;

/// <summary>What the held time of a segment or a request consists of: held = cpu + cpuWait + gc + blocked.</summary>
internal readonly record struct HeldSplit(Duration Held, Duration Cpu, Duration CpuWait, Duration Gc, Duration Blocked)
{
    /// <summary>
    /// The part of <see cref="Blocked"/> during which the garbage collector had paused the process. A thread that waits for a collection,
    /// or for its turn to run one, sleeps like any other. Its clocks can't distinguish it from a thread that slept anyway.
    /// </summary>
    public Duration BlockedInGc { get; init; }

    /// <summary>The blocked time that a line of code may be responsible for.</summary>
    public Duration BlockedOutsideGc => Blocked - BlockedInGc;

    /// <summary>Counts the whole time as CPU, for a segment too short to be worth reading the clocks.</summary>
    public static HeldSplit AllCpu(Duration held) => new(held, held, default, default, default);

    /// <summary>Splits <paramref name="held"/> by how far the thread's clocks moved during that time.</summary>
    /// <param name="held">Wall time of the segment.</param>
    /// <param name="cpu">CPU time of the thread.</param>
    /// <param name="cpuWait">Time the thread was ready and waited for a core; 0 if the platform doesn't report it.</param>
    /// <param name="gcPause">Time the garbage collector paused the whole process.</param>
    /// <param name="mayHaveBlocked">
    /// False if the thread made no voluntary context switch. Then it never blocked, and any time that no clock explains was spent waiting
    /// for a core that a hypervisor or a CPU quota took away. Without this check, a crowded core makes a CPU loop look blocked.
    /// </param>
    public static HeldSplit Create(Duration held, Duration cpu, Duration cpuWait, Duration gcPause, bool mayHaveBlocked)
    {
        // A baseline may be a few microseconds older than the segment, so limit each part to what is left.
        cpu = Duration.Clamp(cpu, Duration.Zero, held);
        cpuWait = Duration.Clamp(cpuWait, Duration.Zero, held - cpu);

        // A sleeping thread loses nothing to a collection. Count only the share of the time in which it wanted to run.
        var gc = GcShare(held, cpu + cpuWait, gcPause);
        gc = Duration.Clamp(gc, Duration.Zero, held - cpu - cpuWait);

        var rest = held - cpu - cpuWait - gc;
        return mayHaveBlocked
            ? new HeldSplit(held, cpu, cpuWait, gc, rest) { BlockedInGc = Duration.Clamp(gcPause - gc, Duration.Zero, rest) }
            : new HeldSplit(held, cpu, cpuWait + rest, gc, Duration.Zero);
    }

    /// <summary>
    /// Whether the load on the machine decides how long it takes: most of the held time, and at least a millisecond, was spent waiting for
    /// a core.
    /// </summary>
    public bool IsMostlyCpuWait => CpuWait > Held / 2 && CpuWait >= Duration.Millisecond;

    public static HeldSplit operator +(HeldSplit a, HeldSplit b) =>
        new(a.Held + b.Held, a.Cpu + b.Cpu, a.CpuWait + b.CpuWait, a.Gc + b.Gc, a.Blocked + b.Blocked)
        {
            BlockedInGc = a.BlockedInGc + b.BlockedInGc,
        };

    public static HeldSplit operator -(HeldSplit a, HeldSplit b) =>
        new(a.Held - b.Held, a.Cpu - b.Cpu, a.CpuWait - b.CpuWait, a.Gc - b.Gc, a.Blocked - b.Blocked)
        {
            BlockedInGc = a.BlockedInGc - b.BlockedInGc,
        };

    /// <summary>The mean, from a sum and a count.</summary>
    public static HeldSplit operator /(HeldSplit sum, long count) =>
        new(sum.Held / count, sum.Cpu / count, sum.CpuWait / count, sum.Gc / count, sum.Blocked / count)
        {
            BlockedInGc = sum.BlockedInGc / count,
        };

    /// <summary>The same proportions for a part of the time.</summary>
    public HeldSplit Scaled(double share)
    {
        var cpu = Cpu * share;
        var cpuWait = CpuWait * share;
        var gc = Gc * share;
        var blocked = Blocked * share;
        return new HeldSplit(cpu + cpuWait + gc + blocked, cpu, cpuWait, gc, blocked) { BlockedInGc = BlockedInGc * share };
    }

    private static Duration GcShare(Duration held, Duration wantedToRun, Duration gcPause)
    {
        if (gcPause <= Duration.Zero)
        {
            return Duration.Zero;
        }

        var outsidePauses = held - gcPause;
        var share = outsidePauses <= Duration.Zero ? 1.0 : Math.Clamp(wantedToRun.RatioTo(outsidePauses), 0, 1);
        return gcPause * share;
    }
}
