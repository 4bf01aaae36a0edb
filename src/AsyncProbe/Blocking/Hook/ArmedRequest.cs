using System.Diagnostics.CodeAnalysis;
using AsyncProbe.Common;
using AsyncProbe.Requests;
using AsyncProbe.Requests.Counts;

namespace AsyncProbe.Blocking.Hook;

/// <summary>
/// The wait hook of one request. The request carries it until it is disarmed, or for ten seconds. Its permit is a
/// <see cref="HookLease"/>: a request that hangs in a wait keeps it until the wait ends, and one that is suspended in an await, such as an
/// idle WebSocket, until the await or the request ends.
/// </summary>
internal sealed class ArmedRequest : CarriedHook
{
    private readonly HookLease? _lease;
    private volatile bool _isDisarmed;

    /// <summary>
    /// For the self-test and <see cref="BlockingGuard"/>, whose code belongs to no request. It has no permit and never expires.
    /// </summary>
    public ArmedRequest(BlockingContext hook)
        : base(hook)
    {
    }

    /// <param name="hook">The hook that the request carries.</param>
    /// <param name="lease">Its own permit, or a share in the outer one.</param>
    /// <param name="before">Blocked and explained time from before the request was armed.</param>
    private ArmedRequest(BlockingContext hook, HookLease lease, (Duration Blocked, Duration Explained) before)
        : base(hook) => (_lease, Before) = (lease, before);

    // Not every server ends every request. An exception here would end the process.
    ~ArmedRequest()
    {
        try
        {
            _lease?.Abandon();
        }
        catch (Exception)
        {
            Faults.NoteQuietly();
        }
    }

    /// <summary>The request's blocked time from before it was armed, and the part of it that call sites explain.</summary>
    public (Duration Blocked, Duration Explained) Before { get; }

    /// <summary>False once the hook was removed. Later waits are not seen, so the request says nothing about its endpoint.</summary>
    public override bool IsWatchedToTheEnd => !_isDisarmed;

    /// <summary>Takes a permit for a request; null when none is free.</summary>
    /// <param name="hook">The hook that the request will carry.</param>
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
        return (shared ?? HookLease.TryTake(now, leavesOne)) is { } lease ? new ArmedRequest(hook, lease, before) : null;
    }

    /// <summary>Also takes one of the endpoint's permits.</summary>
    /// <returns>False when none is free.</returns>
    public bool TryEnter(EndpointTotals endpoint, int limit) => _lease is null || _lease.TryEnter(endpoint, limit);

    /// <summary>
    /// Called when the request arrives on a thread. Installs the hook there, but never replaces a context that user code set. Part of the
    /// segment handler, so it must not lock, allocate or throw.
    /// </summary>
    public override void Arrive(ThreadSlot slot, Timestamp now)
    {
        if (_lease?.IsExpired(now) == true)
        {
            _isDisarmed = true;
        }

        if (_isDisarmed)
        {
            // The continuation that was posted to the hook has arrived. Unless a thread is still in a wait, nothing needs the permit any
            // more.
            ReturnIfIdle();
            return;
        }

        if (slot.Armed is not null || (SynchronizationContext.Current is { } current && current != Context))
        {
            return;
        }

        if (!TryAddThread(slot))
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
        else
        {
            _lease?.RemoveThread();
            OnLeaseChanged();
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

        ReturnIfIdle();
    }

    /// <summary>
    /// Called when the request has ended. Work that it leaves behind takes a permit for each thread that carries the hook for it.
    /// </summary>
    public override void End()
    {
        _lease?.End();
        OnLeaseChanged();
    }

    private void ReturnIfIdle()
    {
        _lease?.ReturnIfIdle();
        OnLeaseChanged();
    }

    [SuppressMessage("Usage", "CA1816", Justification = "It has no Dispose. A returned lease needs no finalizer.")]
    private void OnLeaseChanged()
    {
        if (_lease is null or { IsReturned: true })
        {
            GC.SuppressFinalize(this);
        }
    }

    private HookLease? TryShare(Timestamp now) => _isDisarmed ? null : _lease?.TryShare(now);

    private bool TryAddThread(ThreadSlot slot) =>
        _lease is null || _lease.TryAddThread() || (slot.HasOwnPermit = ArmedPermits.TryTake());
}
