using System.Diagnostics.CodeAnalysis;
using AsyncProbe.Common;
using AsyncProbe.Requests;
using AsyncProbe.Requests.Endpoints;

namespace AsyncProbe.Blocking.Hook;

/// <summary>
/// A request's permit to carry the wait hook, one of <see cref="ArmedPermits"/>. The request keeps it until no thread has the hook for it
/// and its next continuation can't be posted to the hook. A request that hangs in a wait keeps it until the wait ends. A request that is
/// suspended in an await, such as an idle WebSocket, keeps it until the await or the request ends. An operation inside the request shares
/// it.
/// </summary>
internal sealed class ArmedRequest : CarriedHook
{
    /// <summary>How long a request may be armed. After that it is disarmed, and its next arrival doesn't install the hook again.</summary>
    public static Duration ArmedFor => 10 * Duration.Second;

    private readonly ArmedPermit? _permit;
    private EndpointTotals? _endpoint;
    private int _threads;
    private int _hasEnded;
    private volatile bool _isDisarmed;

    /// <summary>
    /// For the self-test and <see cref="BlockingGuard"/>, whose code belongs to no request. It has no permit and never expires.
    /// </summary>
    public ArmedRequest(BlockingContext hook)
        : base(hook)
    {
    }

    /// <param name="hook">The hook that the request carries.</param>
    /// <param name="permit">Its own permit, or a share in the outer one.</param>
    /// <param name="before">Blocked and explained time from before the request was armed.</param>
    private ArmedRequest(BlockingContext hook, ArmedPermit permit, (Duration Blocked, Duration Explained) before)
        : base(hook) => (_permit, Before) = (permit, before);

    // Not every server ends every request. When the request is unreachable, nothing carries its hook any more.
    ~ArmedRequest() => Release();

    /// <summary>The request's blocked time from before it was armed, and the part of it that call sites explain.</summary>
    public (Duration Blocked, Duration Explained) Before { get; }

    /// <summary>False once the hook was removed. Later waits are not seen, so the request says nothing about its endpoint.</summary>
    public override bool IsWatchedToTheEnd => !_isDisarmed;

    /// <summary>Takes a permit for a request; null when none is free.</summary>
    /// <param name="hook">The hook that the request will carry.</param>
    /// <param name="now">The current time.</param>
    /// <param name="before">Blocked and explained time so far.</param>
    /// <param name="leavesOne">When there are many permits, whether to leave the last one to a request that needs it more.</param>
    /// <param name="outer">The outer request or operation of an operation. If it carries the same hook, they share its permit.</param>
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

    /// <summary>Also takes one of the endpoint's permits.</summary>
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
    /// Called when the request arrives on a thread. Installs the hook there, but never replaces a context that user code set. Part of the
    /// segment handler, so it must not lock, allocate or throw.
    /// </summary>
    public override void Arrive(ThreadSlot slot, Timestamp now)
    {
        if (!_isDisarmed && IsTooOld(now))
        {
            _isDisarmed = true;
        }

        if (_isDisarmed)
        {
            // The continuation that was posted to the hook has arrived. Unless a thread is still in a wait, nothing needs the permit any
            // more.
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

    /// <summary>Called when the request leaves a thread that has the hook for it.</summary>
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

    /// <summary>Removes the hook, including from the calling thread.</summary>
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

    /// <summary>
    /// Called when the request has ended. Work that it leaves behind takes a permit for each thread that carries the hook for it.
    /// </summary>
    public override void End()
    {
        Interlocked.Exchange(ref _hasEnded, 1);
        ReleaseIfIdle();
    }

    private bool HasEnded => Volatile.Read(ref _hasEnded) != 0;

    private bool IsTooOld(Timestamp now) => _permit is { } permit && now - permit.TakenAt >= ArmedFor;

    // A request that has ended, or is about to give its permit back, has none to share.
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
