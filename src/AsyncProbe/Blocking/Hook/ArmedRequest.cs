using System.Diagnostics.CodeAnalysis;
using AsyncProbe.Common;
using AsyncProbe.Requests;
using AsyncProbe.Requests.Endpoints;

namespace AsyncProbe.Blocking.Hook;

/// <summary>
/// A request's permit to carry the wait hook, one of <see cref="ArmedPermits"/>. The request keeps it until no thread has the hook for it
/// and its next continuation cannot be posted to the hook: a request that hangs in a wait keeps it until the wait ends, one that is
/// suspended in an await (a WebSocket that nobody writes to) until the await ends or the request does. An operation inside it shares it.
/// </summary>
internal sealed class ArmedRequest : CarriedHook
{
    /// <summary>A request that has been armed for so long is disarmed: the hook is not put back at its next arrival.</summary>
    public static Duration ArmedFor => 10 * Duration.Second;

    private readonly ArmedPermit? _permit;
    private EndpointTotals? _endpoint;
    private int _threads;
    private int _hasEnded;
    private volatile bool _isDisarmed;

    /// <summary>
    /// For the self-test and <see cref="BlockingGuard"/>, whose code is nobody's request: without a permit, and for ever.
    /// </summary>
    public ArmedRequest(BlockingContext hook)
        : base(hook)
    {
    }

    /// <param name="hook">What it carries.</param>
    /// <param name="permit">Its own, or the share in that of what is around it.</param>
    /// <param name="before">What was blocked, and explained, before the request was armed.</param>
    private ArmedRequest(BlockingContext hook, ArmedPermit permit, (Duration Blocked, Duration Explained) before)
        : base(hook) => (_permit, Before) = (permit, before);

    // Not every server comes to the end of every request. What nobody can reach any more carries nothing.
    ~ArmedRequest() => Release();

    /// <summary>Blocked time, and what call sites explain of it, from before the request was armed.</summary>
    public (Duration Blocked, Duration Explained) Before { get; }

    /// <summary>False once the hook was taken away: what blocks later is not seen, and tells nothing about the endpoint.</summary>
    public override bool IsWatchedToTheEnd => !_isDisarmed;

    /// <summary>Takes a permit for a request; null when none is free.</summary>
    /// <param name="hook">What it will carry.</param>
    /// <param name="now">The present.</param>
    /// <param name="before">What was blocked, and explained, before.</param>
    /// <param name="leavesOne">Whether to leave the last of many permits to a request that needs it more.</param>
    /// <param name="outer">What an operation runs inside of; if that carries the same hook, they share its permit.</param>
    public static ArmedRequest? TryCreate(
        BlockingContext hook,
        Timestamp now,
        (Duration Blocked, Duration Explained) before = default,
        bool leavesOne = false,
        CarriedHook? outer = null)
    {
        var shared = outer is ArmedRequest around && around.Context == hook ? around.TryShare(now) : null;
        return (shared ?? ArmedPermit.TryTake(now, leavesOne)) is { } permit ? new ArmedRequest(hook, permit, before) : null;
    }

    /// <summary>Takes one of the endpoint's permits as well.</summary>
    /// <returns>False when none is free.</returns>
    public bool TryEnter(EndpointTotals endpoint, int limit)
    {
        if (!endpoint.TryTakeArmed(limit))
        {
            return false;
        }

        _endpoint = endpoint;
        return true;
    }

    /// <summary>
    /// The request arrives on a thread: puts the hook there, but never over a context that user code set. Part of the segment handler: no
    /// lock, no allocation, no exception.
    /// </summary>
    public override void Arrive(ThreadSlot slot, Timestamp now)
    {
        if (!_isDisarmed && IsTooOld(now))
        {
            _isDisarmed = true;
        }

        if (_isDisarmed)
        {
            // The continuation that was posted to the hook has come; unless a thread is still in a wait, nothing is left of it.
            ReleaseIfIdle();
            return;
        }

        if (slot.Armed is not null || (SynchronizationContext.Current is { } current && current != Context))
        {
            return;
        }

        if (_permit is not null && !TryCount(slot))
        {
            return;
        }

        slot.Armed = this;
        SynchronizationContext.SetSynchronizationContext(Context);
    }

    /// <summary>The request leaves a thread that has the hook for it.</summary>
    public override void Depart(ThreadSlot slot)
    {
        slot.Armed = null;
        if (slot.HasOwnPermit)
        {
            slot.HasOwnPermit = false;
            ArmedPermits.Release();
        }
        else if (_permit is not null)
        {
            Uncount();
        }
    }

    /// <summary>Takes the hook away again, from the calling thread too.</summary>
    public override void Disarm()
    {
        _isDisarmed = true;
        if (ThreadSlots.Mine is { } slot && slot.Armed == this)
        {
            Depart(slot);
            if (SynchronizationContext.Current == Context)
            {
                SynchronizationContext.SetSynchronizationContext(null);
            }
        }

        ReleaseIfIdle();
    }

    /// <summary>The request has ended. Work that it leaves behind takes a permit for each thread that it blocks.</summary>
    public override void End()
    {
        Interlocked.Exchange(ref _hasEnded, 1);
        ReleaseIfIdle();
    }

    private bool HasEnded => Volatile.Read(ref _hasEnded) != 0;

    private bool IsTooOld(Timestamp now) => _permit is { } permit && now - permit.TakenAt >= ArmedFor;

    // What has ended, or is about to give its permit back, has none to share.
    private ArmedPermit? TryShare(Timestamp now) => _isDisarmed || HasEnded || IsTooOld(now) ? null : _permit?.TryShare();

    private bool TryCount(ThreadSlot slot)
    {
        Interlocked.Increment(ref _threads);
        if (!HasEnded)
        {
            return true;
        }

        Uncount();
        return slot.HasOwnPermit = ArmedPermits.TryTake();
    }

    private void Uncount()
    {
        if (Interlocked.Decrement(ref _threads) == 0 && HasEnded)
        {
            Release();
        }
    }

    private void ReleaseIfIdle()
    {
        if (Volatile.Read(ref _threads) == 0)
        {
            Release();
        }
    }

    [SuppressMessage("Usage", "CA1816", Justification = "It has no Dispose; the place goes back here and nowhere else.")]
    private void Release()
    {
        if (_permit?.TryGiveBack() == true)
        {
            GC.SuppressFinalize(this);
            _endpoint?.ReleaseArmed();
        }
    }
}
