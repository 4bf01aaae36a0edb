using System.Diagnostics;
using System.Diagnostics.Metrics;
using AsyncProbe.Clocks;
using AsyncProbe.Common;

namespace AsyncProbe.Reporting.Metrics;

/// <summary>The histograms of held time, for requests or for operations.</summary>
internal sealed class HeldInstruments
{
    private readonly Histogram<double> _held;
    private readonly Histogram<double> _cpu;
    private readonly Histogram<double> _cpuWait;
    private readonly Histogram<double> _gc;
    private readonly Histogram<double> _blocked;
    private readonly Faults _faults;

    /// <param name="meter">Creates the histograms.</param>
    /// <param name="metrics">Their names and descriptions.</param>
    /// <param name="faults">Counts exceptions that listeners throw.</param>
    public HeldInstruments(Meter meter, HeldDefinitions metrics, Faults faults)
    {
        _faults = faults;
        _held = HeldHistogram.Create(meter, metrics.Held);
        _cpu = HeldHistogram.Create(meter, metrics.Cpu);
        _cpuWait = HeldHistogram.Create(meter, metrics.CpuWait);
        _gc = HeldHistogram.Create(meter, metrics.Gc);
        _blocked = HeldHistogram.Create(meter, metrics.Blocked);
    }

    public bool IsEnabled => _held.Enabled || _cpu.Enabled || _cpuWait.Enabled || _gc.Enabled || _blocked.Enabled;

    public void Record(HeldSplit split, in TagList tags)
    {
        if (!ThreadClock.IsWithdrawn)
        {
            Record(_held, split.Held, in tags);
        }

        // A platform without the clocks records nothing; 0 would be wrong.
        if (ThreadClock.HasCpu)
        {
            Record(_cpu, split.Cpu, in tags);
            Record(_gc, split.Gc, in tags);
            Record(_blocked, split.Blocked, in tags);
        }

        if (ThreadClock.HasCpuWait)
        {
            Record(_cpuWait, split.CpuWait, in tags);
        }
    }

    // Record calls the listeners, which are third-party code and may throw.
    private void Record(Histogram<double> histogram, Duration time, in TagList tags)
    {
        try
        {
            histogram.Record(time.TotalSeconds, tags);
        }
        catch (Exception e)
        {
            _faults.Note(e);
        }
    }
}
