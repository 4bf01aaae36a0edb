using System.Diagnostics;
using System.Diagnostics.Metrics;
using AsyncProbe.Blocking.Sites;
using AsyncProbe.Blocking.Stacks;
using AsyncProbe.Clocks;
using AsyncProbe.Common;
using AsyncProbe.Pool.Diagnosis;
using AsyncProbe.Requests.Endpoints;

namespace AsyncProbe.Reporting.Metrics;

/// <summary>Every instrument of the meter <c>AsyncProbe</c>. The runtime's own <c>dotnet.thread_pool.*</c> are not emitted again.</summary>
internal sealed class ProbeMetrics : IWaitCounter
{
    public const string MeterName = "AsyncProbe";

    // The usual boundaries are made for milliseconds or for whole requests; held time begins far below.
    private static readonly InstrumentAdvice<double> s_seconds = new()
    {
        HistogramBucketBoundaries = [0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    };

    private readonly Histogram<double> _held;
    private readonly Histogram<double> _cpu;
    private readonly Histogram<double> _blocked;
    private readonly Counter<long> _calls;

    private readonly Faults _faults;

    public ProbeMetrics(IMeterFactory meters, PoolMonitor pool, Faults faults)
    {
        _faults = faults;
        var meter = meters.Create(MeterName);
        _held = Seconds(meter, "asyncprobe.request.held", "How long a request held pool threads.");
        _cpu = Seconds(meter, "asyncprobe.request.cpu", "CPU time of a request on pool threads.");
        _blocked = Seconds(meter, "asyncprobe.request.blocked", "How long a request held pool threads that did nothing.");
        _calls = meter.CreateCounter<long>("asyncprobe.blocking.calls", "{call}", "Blocking waits that the wait hook has seen.");
        meter.CreateObservableGauge(
            "asyncprobe.thread_pool.queue_delay",
            () => pool.IsWatching ? [new Measurement<double>(pool.Latest.QueueDelayNs / 1e9)] : Array.Empty<Measurement<double>>(),
            "s",
            "How long a work item waits for a pool thread.");
        meter.CreateObservableUpDownCounter(
            "asyncprobe.thread_pool.blocked_threads",
            () => pool.IsWatching && ThreadClock.HasCpu ? [new Measurement<long>(pool.Live.Blocked)] : Array.Empty<Measurement<long>>(),
            "{thread}",
            "Pool threads that are held by a request and do nothing.");
    }

    public void OnRequest(EndpointTotals totals, HeldSplit split)
    {
        if (!_held.Enabled && !_cpu.Enabled && !_blocked.Enabled)
        {
            return;
        }

        var tags = default(TagList);
        if (totals.Route is { } route)
        {
            tags.Add("http.route", route);
        }

        tags.Add("http.request.method", totals.Method);
        Record(_held, split.Held, in tags);

        // A platform without the clocks has no figure, which is not 0.
        if (ThreadClock.HasCpu)
        {
            Record(_cpu, split.Cpu, in tags);
            Record(_blocked, split.Blocked, in tags);
        }
    }

    public void Add(WaitKind kind, long waits)
    {
        if (!_calls.Enabled)
        {
            return;
        }

        try
        {
            _calls.Add(waits, new KeyValuePair<string, object?>(WaitTags.Kind, kind.Name()));
        }
        catch (Exception e)
        {
            _faults.Note(e);
        }
    }

    // A listener is somebody else's code, and runs in here.
    private void Record(Histogram<double> histogram, long nanoseconds, in TagList tags)
    {
        try
        {
            histogram.Record(nanoseconds / 1e9, tags);
        }
        catch (Exception e)
        {
            _faults.Note(e);
        }
    }

    private static Histogram<double> Seconds(Meter meter, string name, string description) =>
        meter.CreateHistogram(name, "s", description, tags: null, s_seconds);
}
