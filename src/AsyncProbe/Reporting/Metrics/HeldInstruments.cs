using System.Diagnostics;
using System.Diagnostics.Metrics;
using AsyncProbe.Clocks;
using AsyncProbe.Common;

namespace AsyncProbe.Reporting.Metrics;

/// <summary>The three histograms of held time, for requests or for operations.</summary>
internal sealed class HeldInstruments
{
    // The usual boundaries are made for milliseconds or for whole requests; held time begins far below.
    private static readonly InstrumentAdvice<double> s_seconds = new()
    {
        HistogramBucketBoundaries = [0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    };

    private readonly Histogram<double> _held;
    private readonly Histogram<double> _cpu;
    private readonly Histogram<double> _blocked;
    private readonly Faults _faults;

    /// <param name="meter">Makes them.</param>
    /// <param name="unit">The part of their names between <c>asyncprobe</c> and the figure.</param>
    /// <param name="who">Whose they are, in their descriptions.</param>
    /// <param name="faults">Counts what a listener throws.</param>
    public HeldInstruments(Meter meter, string unit, string who, Faults faults)
    {
        _faults = faults;
        _held = Seconds(meter, $"asyncprobe.{unit}.held", $"How long {who} held pool threads.");
        _cpu = Seconds(meter, $"asyncprobe.{unit}.cpu", $"CPU time of {who} on pool threads.");
        _blocked = Seconds(meter, $"asyncprobe.{unit}.blocked", $"How long {who} held pool threads that did nothing.");
    }

    public bool IsEnabled => _held.Enabled || _cpu.Enabled || _blocked.Enabled;

    public void Record(HeldSplit split, in TagList tags)
    {
        Record(_held, split.Held, in tags);

        // A platform without the clocks has no figure, which is not 0.
        if (ThreadClock.HasCpu)
        {
            Record(_cpu, split.Cpu, in tags);
            Record(_blocked, split.Blocked, in tags);
        }
    }

    // A listener is somebody else's code, and runs in here.
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

    private static Histogram<double> Seconds(Meter meter, string name, string description) =>
        meter.CreateHistogram(name, "s", description, tags: null, s_seconds);
}
