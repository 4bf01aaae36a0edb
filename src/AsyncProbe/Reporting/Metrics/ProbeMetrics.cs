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

    private readonly HeldInstruments _requests;
    private readonly HeldInstruments _operations;
    private readonly Counter<long> _calls;

    private readonly Faults _faults;

    public ProbeMetrics(IMeterFactory meters, PoolMonitor pool, Faults faults)
    {
        _faults = faults;
        var meter = meters.Create(MeterName);
        _requests = new HeldInstruments(meter, "request", "a request", faults);
        _operations = new HeldInstruments(meter, "operation", "an operation", faults);
        _calls = meter.CreateCounter<long>("asyncprobe.blocking.calls", "{call}", "Blocking waits that the wait hook has seen.");
        meter.CreateObservableGauge(
            "asyncprobe.thread_pool.queue_delay",
            () => pool.IsWatching ? [new Measurement<double>(pool.Latest.QueueDelay.TotalSeconds)] : Array.Empty<Measurement<double>>(),
            "s",
            "How long a work item waits for a pool thread.");
        meter.CreateObservableUpDownCounter(
            "asyncprobe.thread_pool.blocked_threads",
            () => pool.IsWatching && ThreadClock.HasCpu ? [new Measurement<long>(pool.Live.Blocked)] : Array.Empty<Measurement<long>>(),
            "{thread}",
            "Pool threads that are held by a request and do nothing.");
    }

    /// <summary>A request or an operation has ended.</summary>
    public void OnEnded(EndpointTotals totals, HeldSplit split)
    {
        var instruments = totals.IsOperation ? _operations : _requests;
        if (!instruments.IsEnabled)
        {
            return;
        }

        var tags = default(TagList);
        if (totals.IsOperation)
        {
            tags.Add("asyncprobe.source", totals.Source);
            tags.Add("asyncprobe.operation", totals.Route);
        }
        else
        {
            if (totals.Route is { } route)
            {
                tags.Add("http.route", route);
            }

            tags.Add("http.request.method", totals.Method);
        }

        instruments.Record(split, in tags);
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
}
