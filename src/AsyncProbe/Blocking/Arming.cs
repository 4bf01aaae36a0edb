using System.Diagnostics;
using AsyncProbe.Requests;
using Microsoft.Extensions.Options;

namespace AsyncProbe.Blocking;

/// <summary>
/// Decides which requests carry the wait hook. The hook costs a pool hop for each suspended await, so outside Development only endpoints
/// that accounting has seen blocking pay for it, and only until their call sites are known.
/// </summary>
internal sealed class Arming(WaitRecorder recorder, IOptions<AsyncProbeOptions> options)
{
    private readonly BlockingDetection _detection = options.Value.Detection ?? BlockingDetection.Off;
    private readonly long _minimum = Nanoseconds.From(options.Value.MinimumBlocked);
    private readonly BlockingContext _hook = new(recorder, Nanoseconds.From(options.Value.MinimumBlocked));
    private int _armed;

    /// <summary>Endpoints that were seen blocking, and whose next requests carry the hook, all or some of them.</summary>
    public int ArmedEndpoints => Volatile.Read(ref _armed);

    /// <summary>Names the request's endpoint, and gives the request the hook if the endpoint was seen blocking.</summary>
    public void Attribute(RequestProbe probe, EndpointTotals totals)
    {
        if (probe.Totals is not null)
        {
            return;
        }

        probe.Attribute(totals);
        if (_detection == BlockingDetection.WhenBlocking && totals.Waits is { } waits && waits.Wants(Nanoseconds.Now()))
        {
            Arm(probe);
        }
    }

    /// <summary>Gives the request the hook if every request gets it, whatever its endpoint will be.</summary>
    public void Begin(RequestProbe probe)
    {
        if (_detection == BlockingDetection.Always)
        {
            Arm(probe);
        }
    }

    /// <summary>Learns from a request that has ended.</summary>
    public void OnEnded(RequestProbe probe, EndpointTotals totals, HeldSplit whole, long now)
    {
        if (whole.Blocked < _minimum || _detection == BlockingDetection.Off)
        {
            return;
        }

        var waits = totals.Waits ?? Note(totals);
        if (probe.Hook is not null && probe.Waits is { } mine)
        {
            waits.Add(whole.Blocked, mine.Explained, mine.Locks, now);
        }
    }

    /// <summary>A request that hangs never ends; the watcher tells of it.</summary>
    public void OnHanging(EndpointTotals totals)
    {
        if (_detection != BlockingDetection.Off && totals.Waits is null)
        {
            Note(totals);
        }
    }

    public void Reset() => Volatile.Write(ref _armed, 0);

    private void Arm(RequestProbe probe)
    {
        probe.Waits = new RequestWaits(Activity.Current);
        probe.Hook = _hook;
    }

    private EndpointWaits Note(EndpointTotals totals)
    {
        var waits = new EndpointWaits();
        if (totals.TrySetWaits(waits))
        {
            Interlocked.Increment(ref _armed);
        }

        return totals.Waits ?? waits;
    }
}
