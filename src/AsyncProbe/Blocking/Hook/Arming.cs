using AsyncProbe.Clocks;
using AsyncProbe.Common;
using AsyncProbe.Requests;
using AsyncProbe.Requests.Counts;
using Microsoft.Extensions.Options;

namespace AsyncProbe.Blocking.Hook;

/// <summary>
/// Decides which requests carry the wait hook. The hook costs a pool hop for each suspended await. Outside Development, only endpoints
/// whose accounting shows blocked time pay for it, and only until their call sites are known. In every mode, few requests carry it at a
/// time.
/// </summary>
/// <param name="options">The shortest wait to consider.</param>
/// <param name="status">The detection mode.</param>
/// <param name="isPoolHealthy">While this is false, an endpoint has at most one armed request in flight.</param>
internal sealed class Arming(IWaitSink sink, IOptions<AsyncProbeOptions> options, HookStatus status, Func<bool> isPoolHealthy)
{
    private readonly Duration _minimum = Duration.From(options.Value.MinimumBlocked);
    private readonly BlockingContext _hook = new(sink, Duration.From(options.Value.MinimumBlocked));
    private EndpointWaits? _beforeRouting;
    private int _armed;

    /// <summary>The number of endpoints that were seen blocking. All or some of their next requests carry the hook.</summary>
    public int ArmedEndpoints => Volatile.Read(ref _armed);

    /// <summary>
    /// Gives an operation the hook if every operation gets it. An operation has its name from the start, so it has no part before routing.
    /// </summary>
    public void BeginOperation(RequestProbe probe)
    {
        if (status.Detection == BlockingDetection.Always)
        {
            Begin(probe);
        }
    }

    /// <summary>Gives the request the hook if every request gets it, or if requests have blocked before their endpoint was known.</summary>
    /// <param name="probe">The request.</param>
    /// <param name="isWebSocket">
    /// Whether the request is a WebSocket. It is long-lived and would keep its permit all the time, so it is armed only when its endpoint
    /// was seen blocking.
    /// </param>
    public void Begin(RequestProbe probe, bool isWebSocket = false)
    {
        if (isWebSocket)
        {
            return;
        }

        var waits = status.Detection == BlockingDetection.WhenBlocking ? Volatile.Read(ref _beforeRouting) : null;
        if (status.Detection != BlockingDetection.Always && waits is null)
        {
            return;
        }

        var now = Timestamp.Now();
        if (waits?.IsDue(now) == false)
        {
            return;
        }

        // Among many endpoints that don't block, one that does must still find a permit. A turn is taken last: without a permit, it would
        // be lost.
        if (ArmedRequest.TryCreate(_hook, now, leavesOne: true, outer: probe.Outer?.Armed) is { } armed)
        {
            ArmOrDisarm(probe, armed, waits is null || waits.TryTakeTurn(now));
        }
    }

    /// <summary>Sets the request's endpoint, and gives the request the hook if the endpoint was seen blocking.</summary>
    public void Attribute(RequestProbe probe, EndpointTotals totals)
    {
        if (probe.Totals is not null)
        {
            return;
        }

        probe.Attribute(totals);
        if (probe.Armed is ArmedRequest armed)
        {
            LearnBeforeRouting(probe, totals);
            if (!armed.TryEnter(totals, LimitOfEndpoint))
            {
                armed.Disarm();
            }
        }
        else if (status.Detection != BlockingDetection.Off && (totals.Waits is not null || totals.BlockedAfterResponse >= _minimum))
        {
            TryArm(probe, totals);
        }
    }

    /// <summary>Learns from a request that has ended.</summary>
    public void OnEnded(RequestProbe probe, EndpointTotals totals, HeldSplit whole, Timestamp now)
    {
        if (whole.BlockedOutsideGc < _minimum || status.Detection == BlockingDetection.Off)
        {
            return;
        }

        var waits = totals.Waits ?? Note(totals);
        waits.OnBlocked();
        var before = WaitedBeforeRouting(totals) ? NoteBeforeRouting() : null;
        if (probe is not { Armed: ArmedRequest { IsWatchedToTheEnd: true } armed, Waits: { } mine })
        {
            return;
        }

        // The hook saw nothing of what was blocked before the request was armed.
        var (blockedBefore, explainedBefore) = armed.Before;
        var (blocked, explained) = (whole.BlockedOutsideGc - blockedBefore, mine.Explained - explainedBefore);
        if (blocked < _minimum)
        {
            return;
        }

        before?.Add(blocked, explained, mine.Locks, now);

        // Requests that were watched from their beginning show how much of the time before has a place.
        if (_beforeRouting?.Explained is { } share)
        {
            blocked += blockedBefore;
            explained += Duration.Max(explainedBefore, blockedBefore * share);
        }

        Teach(waits, blocked, explained, mine, now, totals.Counts.IsWarm(probe.StartedAt));
    }

    // A request without a route gets its endpoint when it ends, so all its waits came before.
    private static bool WaitedBeforeRouting(EndpointTotals totals) => totals.Route is null;

    // Only waits from before routing show whether the next requests have to be watched from their beginning.
    private void LearnBeforeRouting(RequestProbe probe, EndpointTotals totals)
    {
        if (Volatile.Read(ref _beforeRouting) is { } before && probe is { Waits: { } waits, Operation: null }
            && !WaitedBeforeRouting(totals) && probe.SoFar().BlockedOutsideGc is var blocked && blocked >= _minimum)
        {
            before.Add(blocked, waits.Explained, waits.Locks, Timestamp.Now());
        }
    }

    // A cold request's waits for locks outside the application say nothing about later requests: it loads a type, fills a cache or starts a
    // logger.
    private void Teach(EndpointWaits waits, Duration blocked, Duration explained, RequestWaits mine, Timestamp now, bool isWarm)
    {
        var once = isWarm ? Duration.Zero : mine.ForeignLocks;
        if (blocked - once >= _minimum)
        {
            waits.Add(blocked - once, (explained - once).OrZero(), mine.Locks - once, now, isWarm, mine.Provider);
        }
    }

    /// <summary>Learns from a request that hangs. It never ends, so the watcher reports it.</summary>
    public void OnHanging(EndpointTotals totals)
    {
        if (status.Detection != BlockingDetection.Off)
        {
            (totals.Waits ?? Note(totals)).OnBlocked();
        }
    }

    public void Reset()
    {
        Volatile.Write(ref _armed, 0);
        Volatile.Write(ref _beforeRouting, null);
    }

    private int LimitOfEndpoint => isPoolHealthy() ? ArmedPermits.OfEndpoint : ArmedPermits.OfEndpointUnderPressure;

    private void TryArm(RequestProbe probe, EndpointTotals totals)
    {
        // Most requests of an endpoint whose waits are known aren't due, so they don't read the clock for that.
        var startedAt = probe.StartedAt == default ? Timestamp.Now() : probe.StartedAt;
        var (waits, late) = (totals.Waits, totals.BlockedAfterResponse >= _minimum ? totals.LateWaits ?? NoteLate(totals) : null);
        if (waits?.IsDue(startedAt) != true && late?.IsDue(startedAt) != true)
        {
            return;
        }

        var now = Timestamp.Now();
        (Duration Blocked, Duration Explained) before = (probe.SoFar().BlockedOutsideGc, probe.Waits?.Explained ?? Duration.Zero);
        if (before.Blocked >= _minimum)
        {
            NoteBeforeRouting();
        }

        if (ArmedRequest.TryCreate(_hook, now, before, outer: probe.Outer?.Armed) is { } armed)
        {
            // One request covers both waits during the request and waits after the response.
            var hasTurn = armed.TryEnter(totals, LimitOfEndpoint) && (waits?.TryTakeTurn(now) == true | late?.TryTakeTurn(now) == true);
            ArmOrDisarm(probe, armed, hasTurn);
        }
    }

    private static void ArmOrDisarm(RequestProbe probe, ArmedRequest armed, bool hasTurn)
    {
        if (!hasTurn)
        {
            armed.Disarm();
            return;
        }

        // Capture the request's span while it is current, because a wait may come inside another span.
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

    // If two requests note it at the same time, the second one starts the learning again.
    private EndpointWaits NoteBeforeRouting()
    {
        if (Volatile.Read(ref _beforeRouting) is not { } before)
        {
            Volatile.Write(ref _beforeRouting, before = new EndpointWaits { IsRare = true });
        }

        return before;
    }

    private EndpointWaits NoteLate(EndpointTotals totals)
    {
        var waits = new EndpointWaits { IsRare = true, Minimum = _minimum };
        if (totals.TrySetLateWaits(waits) && totals.Waits is null)
        {
            Interlocked.Increment(ref _armed);
        }

        return totals.LateWaits ?? waits;
    }
}
