using AsyncProbe.Common;
using AsyncProbe.Requests.Counts;

namespace AsyncProbe.Blocking.Hook;

/// <summary>
/// How long a request or operation keeps its permit to carry the wait hook, one of <see cref="ArmedPermits"/>. Its state changes in one
/// place, <see cref="Change"/>:
/// <list type="table">
/// <item><term>Held → Returned</term><description>the request ends or may no longer carry the hook, and no thread does</description></item>
/// <item><term>Held → Ended</term><description>the request ends while threads still carry the hook for it</description></item>
/// <item><term>Ended → Returned</term><description>the last of these threads stops carrying it</description></item>
/// <item><term>any → Returned</term><description>the request becomes unreachable</description></item>
/// </list>
/// An operation inside a request or another operation runs in a flow that already carries the hook, so it shares the outer permit instead
/// of taking a second one. Only one operation at a time may share it, and only while it is held. The permit is free once the lease is
/// returned and nobody shares it.
/// </summary>
internal sealed class HookLease
{
    /// <summary>How long a request may carry the hook.</summary>
    public static Duration Longest => 10 * Duration.Second;

    private readonly HookLease? _outer;
    private readonly Timestamp _takenAt;
    private EndpointTotals? _endpoint;
    private int _state = State.New.Packed;

    private HookLease(Timestamp takenAt, HookLease? outer) => (_takenAt, _outer) = (takenAt, outer);

    private enum Stage
    {
        Held,
        Ended,
        Returned,
    }

    /// <param name="leavesOne">When there are many permits, whether to leave the last one to a request that needs it more.</param>
    /// <returns>Null when none is free.</returns>
    public static HookLease? TryTake(Timestamp now, bool leavesOne) =>
        ArmedPermits.TryTake(leavesOne) ? new HookLease(now, null) : null;

    /// <summary>
    /// A share of the permit for an inner operation, which expires when this lease does; otherwise a chain of operations would keep the
    /// permit forever.
    /// </summary>
    /// <returns>Null when the permit can't be shared.</returns>
    public HookLease? TryShare(Timestamp now)
    {
        if (IsExpired(now))
        {
            return null;
        }

        var before = Change(static s => s.Stage == Stage.Held ? s with { IsShared = true } : s);
        return before is { Stage: Stage.Held, IsShared: false } ? new HookLease(_takenAt, this) : null;
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

    public bool IsReturned => new State(Volatile.Read(ref _state)).Stage == Stage.Returned;

    public bool IsExpired(Timestamp now) => now - _takenAt >= Longest;

    /// <summary>A thread begins to carry the hook.</summary>
    /// <returns>False when the request has ended or the permit is returned.</returns>
    public bool TryAddThread() => Change(static s => s.Stage == Stage.Held ? s with { Threads = s.Threads + 1 } : s).Stage == Stage.Held;

    /// <summary>A thread stops carrying the hook. The request's next continuation may be posted to it, so the permit is kept.</summary>
    public void RemoveThread() => Change(static s => (s with { Threads = s.Threads - 1 }).ReturnedIf(s.Stage == Stage.Ended));

    /// <summary>The request may not carry the hook any more. The permit is kept while a thread is still in a wait under it.</summary>
    public void ReturnIfIdle() => Change(static s => s.ReturnedIf(true));

    /// <summary>The request has ended. A thread that still hangs in a wait keeps the permit.</summary>
    public void End() => Change(static s => s.Stage == Stage.Held ? (s with { Stage = Stage.Ended }).ReturnedIf(true) : s);

    /// <summary>The request is unreachable, although it hasn't ended. Nothing carries its hook any more.</summary>
    public void Abandon() => Change(static s => s with { Stage = Stage.Returned });

    // Runs in the segment handler too: no lock and no allocation, because the steps are static.
    private State Change(Func<State, State> step)
    {
        while (true)
        {
            var packed = Volatile.Read(ref _state);
            var before = new State(packed);
            var after = step(before);
            if (Interlocked.CompareExchange(ref _state, after.Packed, packed) == packed)
            {
                OnChanged(before, after);
                return before;
            }
        }
    }

    private void OnChanged(State before, State after)
    {
        if (after.Stage == Stage.Returned && before.Stage != Stage.Returned)
        {
            _endpoint?.ReleaseArmed();
        }

        if (after.IsFree && !before.IsFree)
        {
            Free();
        }
    }

    // A loop instead of recursion, because operations that start one another make a long chain.
    private void Free()
    {
        for (var lease = this; ; lease = lease._outer)
        {
            if (lease._outer is null)
            {
                ArmedPermits.Release();
                return;
            }

            if (!lease._outer.TryEndShare())
            {
                return;
            }
        }
    }

    /// <returns>Whether the permit is free now.</returns>
    private bool TryEndShare()
    {
        var mask = ~State.SharedBit;
        return new State(Interlocked.And(ref _state, mask) & mask).IsFree;
    }

    /// <summary>What several threads change, in one word.</summary>
    private readonly record struct State(Stage Stage, bool IsShared, int Threads)
    {
        public const int SharedBit = 4;
        private const int StageMask = 3;
        private const int ThreadsShift = 3;

        public State(int packed)
            : this((Stage)(packed & StageMask), (packed & SharedBit) != 0, packed >> ThreadsShift)
        {
        }

        public static State New => new(Stage.Held, IsShared: false, Threads: 0);

        public int Packed => (int)Stage | (IsShared ? SharedBit : 0) | (Threads << ThreadsShift);

        public bool IsFree => Stage == Stage.Returned && !IsShared;

        public State ReturnedIf(bool condition) => condition && Threads == 0 ? this with { Stage = Stage.Returned } : this;
    }
}
