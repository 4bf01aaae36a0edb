using AsyncProbe.Clocks;
using AsyncProbe.Common;
using AsyncProbe.Requests;
using AsyncProbe.Requests.Endpoints;
using Microsoft.Extensions.Options;

namespace AsyncProbe.Blocking.Hook;

/// <summary>
/// Decides which requests carry the wait hook. The hook costs a pool hop for each suspended await, so outside Development only endpoints
/// that accounting has seen blocking pay for it, and only until their call sites are known; and in every mode few requests at a time.
/// </summary>
/// <param name="sink">Hears of the waits.</param>
/// <param name="options">Say how to detect.</param>
/// <param name="isPoolHealthy">While it is not, an endpoint has one armed request in flight at most.</param>
internal sealed class Arming(IWaitSink sink, IOptions<AsyncProbeOptions> options, Func<bool> isPoolHealthy)
{
    private readonly Duration _minimum = Duration.From(options.Value.MinimumBlocked);
    private readonly BlockingContext _hook = new(sink, Duration.From(options.Value.MinimumBlocked));
    private EndpointWaits? _beforeRouting;
    private int _armed;

    /// <summary>Which requests carry the hook.</summary>
    public BlockingDetection Detection { get; private set; } = options.Value.Detection ?? BlockingDetection.Off;

    /// <summary>Endpoints that were seen blocking, and whose next requests carry the hook, all or some of them.</summary>
    public int ArmedEndpoints => Volatile.Read(ref _armed);

    /// <summary>Gives an operation the hook if every one gets it. Its name is known at once, so nothing of it comes before that.</summary>
    public void BeginOperation(RequestProbe probe)
    {
        if (Detection == BlockingDetection.Always)
        {
            Begin(probe);
        }
    }

    /// <summary>Gives the request the hook if every request gets it, or if requests have blocked before their endpoint was known.</summary>
    /// <param name="probe">The request.</param>
    /// <param name="isWebSocket">
    /// Whether it is for long. It would keep its permit all the time, so it is armed only when its endpoint was seen blocking.
    /// </param>
    public void Begin(RequestProbe probe, bool isWebSocket = false)
    {
        if (isWebSocket)
        {
            return;
        }

        var isWanted = Detection == BlockingDetection.Always
            || (Detection == BlockingDetection.WhenBlocking && Volatile.Read(ref _beforeRouting) is { } waits
                && waits.Wants(Timestamp.Now()));

        // An endpoint that blocks must find a permit beside many that do not.
        if (isWanted && ArmedRequest.TryCreate(_hook, Timestamp.Now(), leavesOne: true, outer: probe.Outer?.Armed) is { } armed)
        {
            Arm(probe, armed);
        }
    }

    /// <summary>Names the request's endpoint, and gives the request the hook if the endpoint was seen blocking.</summary>
    public void Attribute(RequestProbe probe, EndpointTotals totals)
    {
        if (probe.Totals is not null)
        {
            return;
        }

        probe.Attribute(totals);
        if (probe.Armed is ArmedRequest armed)
        {
            if (!armed.TryEnter(totals, LimitOfEndpoint))
            {
                armed.Disarm();
            }
        }
        else if (Detection != BlockingDetection.Off && (totals.Waits is not null || totals.BlockedAfterResponse >= _minimum))
        {
            TryArm(probe, totals);
        }
    }

    /// <summary>Learns from a request that has ended.</summary>
    public void OnEnded(RequestProbe probe, EndpointTotals totals, HeldSplit whole, Timestamp now)
    {
        if (whole.Blocked < _minimum || Detection == BlockingDetection.Off)
        {
            return;
        }

        var waits = totals.Waits ?? Note(totals);
        if (probe is not { Armed: ArmedRequest { IsWatchedToTheEnd: true } armed, Waits: { } mine })
        {
            return;
        }

        // What was blocked before the request was armed was nobody's to see.
        var (blockedBefore, explainedBefore) = armed.Before;
        var (blocked, explained) = (whole.Blocked - blockedBefore, mine.Explained - explainedBefore);
        if (blocked < _minimum)
        {
            return;
        }

        Teach(waits, blocked, explained, mine, now, totals.IsWarm(probe.StartedAt));
        if (blockedBefore == Duration.Zero && !totals.IsOperation)
        {
            Volatile.Read(ref _beforeRouting)?.Add(blocked, explained, mine.Locks, now);
        }
    }

    // What a cold request waits for at locks that are not the application's (a type is loaded, a cache filled, a logger begins to write)
    // says nothing of those to come.
    private void Teach(EndpointWaits waits, Duration blocked, Duration explained, RequestWaits mine, Timestamp now, bool isWarm)
    {
        var once = isWarm ? Duration.Zero : mine.ForeignLocks;
        if (blocked - once >= _minimum)
        {
            waits.Add(blocked - once, (explained - once).OrZero(), mine.Locks - once, now, isWarm);
        }
    }

    /// <summary>A request that hangs never ends; the watcher tells of it.</summary>
    public void OnHanging(EndpointTotals totals)
    {
        if (Detection != BlockingDetection.Off && totals.Waits is null)
        {
            Note(totals);
        }
    }

    /// <summary>For good: no request carries the hook from now on.</summary>
    public void TurnOff() => Detection = BlockingDetection.Off;

    public void Reset()
    {
        Volatile.Write(ref _armed, 0);
        Volatile.Write(ref _beforeRouting, null);
    }

    private int LimitOfEndpoint => isPoolHealthy() ? ArmedPermits.OfEndpoint : ArmedPermits.OfEndpointUnderPressure;

    private void TryArm(RequestProbe probe, EndpointTotals totals)
    {
        var now = Timestamp.Now();
        var (waits, late) = (totals.Waits, totals.BlockedAfterResponse >= _minimum ? totals.LateWaits ?? NoteLate(totals) : null);
        if (!IsDue(waits, now) && !IsDue(late, now))
        {
            return;
        }

        var before = probe.StartedAt == default ? default : (probe.SoFar().Blocked, probe.Waits?.Explained ?? Duration.Zero);
        if (before.Blocked >= _minimum && Volatile.Read(ref _beforeRouting) is null)
        {
            Volatile.Write(ref _beforeRouting, new EndpointWaits());
        }

        if (ArmedRequest.TryCreate(_hook, now, before, outer: probe.Outer?.Armed) is not { } armed)
        {
            return;
        }

        // One request watches for both.
        if (armed.TryEnter(totals, LimitOfEndpoint) && (waits?.Wants(now) == true | late?.Wants(now) == true))
        {
            Arm(probe, armed);
        }
        else
        {
            armed.Disarm();
        }
    }

    private static bool IsDue(EndpointWaits? waits, Timestamp now) => waits is not null && (waits.IsLearning || waits.IsSampleDue(now));

    private static void Arm(RequestProbe probe, ArmedRequest armed)
    {
        // The request's span is the current one now; a wait may come inside another.
        probe.WaitsOrNew();
        probe.Armed = armed;
    }

    private EndpointWaits Note(EndpointTotals totals)
    {
        var waits = new EndpointWaits();
        if (totals.TrySetWaits(waits) && totals.LateWaits is null)
        {
            Interlocked.Increment(ref _armed);
        }

        return totals.Waits ?? waits;
    }

    private EndpointWaits NoteLate(EndpointTotals totals)
    {
        var waits = new EndpointWaits { IsLate = true, Minimum = _minimum };
        if (totals.TrySetLateWaits(waits) && totals.Waits is null)
        {
            Interlocked.Increment(ref _armed);
        }

        return totals.LateWaits ?? waits;
    }
}
