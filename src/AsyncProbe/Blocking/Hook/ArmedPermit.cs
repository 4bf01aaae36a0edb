using AsyncProbe.Common;

namespace AsyncProbe.Blocking.Hook;

/// <summary>
/// One of the <see cref="ArmedPermits"/>, or a share in one. An operation inside a request or another operation runs in a flow that already
/// carries the hook, so it shares the outer permit instead of taking a second one. A permit has at most one share at a time; any other
/// operation that starts there needs a permit of its own. A permit counts until it and all of its shares have been given back.
/// </summary>
internal sealed class ArmedPermit
{
    private const int Held = 1;
    private const int Shared = 2;

    private readonly ArmedPermit? _outer;
    private int _state = Held;

    private ArmedPermit(Timestamp takenAt, ArmedPermit? outer) => (TakenAt, _outer) = (takenAt, outer);

    /// <summary>When it was first taken. A share keeps that time; otherwise a chain of operations would keep the permit forever.</summary>
    public Timestamp TakenAt { get; }

    /// <param name="now">The current time.</param>
    /// <param name="leavesOne">When there are many permits, whether to leave the last one to a request that needs it more.</param>
    /// <returns>Null when none is free.</returns>
    public static ArmedPermit? TryTake(Timestamp now, bool leavesOne) =>
        ArmedPermits.TryTake(leavesOne) ? new ArmedPermit(now, null) : null;

    /// <summary>A share for an inner operation; null when another operation has it, or when the permit was given back.</summary>
    public ArmedPermit? TryShare() =>
        Interlocked.CompareExchange(ref _state, Held | Shared, Held) == Held ? new ArmedPermit(TakenAt, this) : null;

    /// <returns>False when it had already been given back.</returns>
    public bool TryGiveBack()
    {
        if ((Volatile.Read(ref _state) & Held) == 0 || !TryClear(Held, out var isFree))
        {
            return false;
        }

        // A loop instead of recursion, because operations that start one another make a long chain.
        var permit = this;
        while (isFree && permit._outer is { } outer)
        {
            outer.TryClear(Shared, out isFree);
            permit = outer;
        }

        if (isFree)
        {
            ArmedPermits.Release();
        }

        return true;
    }

    /// <returns>False when that part was already cleared.</returns>
    private bool TryClear(int part, out bool isFree)
    {
        var before = Interlocked.And(ref _state, ~part);
        isFree = before == part;
        return (before & part) != 0;
    }
}
