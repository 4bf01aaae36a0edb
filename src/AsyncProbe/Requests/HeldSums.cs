using AsyncProbe.Clocks;
using AsyncProbe.Common;

namespace AsyncProbe.Requests;

/// <summary>The held time of several segments, and its parts. Several threads may add to it.</summary>
internal struct HeldSums
{
    private Duration _cpu;
    private Duration _cpuWait;
    private Duration _gc;
    private Duration _blocked;
    private Duration _blockedInGc;

    public void Add(HeldSplit split)
    {
        Counter.Add(ref _cpu, split.Cpu);
        Counter.Add(ref _cpuWait, split.CpuWait);
        Counter.Add(ref _gc, split.Gc);
        Counter.Add(ref _blocked, split.Blocked);
        if (split.BlockedInGc > Duration.Zero)
        {
            Counter.Add(ref _blockedInGc, split.BlockedInGc);
        }
    }

    /// <summary>Adds a segment that was too short to do anything but work.</summary>
    public void AddCpu(Duration held) => Counter.Add(ref _cpu, held);

    public HeldSplit Read()
    {
        var cpu = Counter.Read(ref _cpu);
        var cpuWait = Counter.Read(ref _cpuWait);
        var gc = Counter.Read(ref _gc);
        var blocked = Counter.Read(ref _blocked);
        return new HeldSplit(cpu + cpuWait + gc + blocked, cpu, cpuWait, gc, blocked) { BlockedInGc = Counter.Read(ref _blockedInGc) };
    }
}
