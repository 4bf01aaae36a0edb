using AsyncProbe.Common;

namespace AsyncProbe.Blocking.Hook;

/// <summary>
/// One of the <see cref="ArmedPermits"/>, or a share in one. An operation inside a request or another operation runs in a flow that carries
/// the hook already, so it shares the permit of what is around it instead of taking a second. Only one may share with each at a time, and
/// it counts until all that share with it have given back too: what else starts there meanwhile needs a permit of its own.
/// </summary>
internal sealed class ArmedPermit
{
    private const int Held = 1;
    private const int Shared = 2;

    private readonly ArmedPermit? _outer;
    private int _state = Held;

    private ArmedPermit(Timestamp takenAt, ArmedPermit? outer) => (TakenAt, _outer) = (takenAt, outer);

    /// <summary>When it was first taken. Sharing makes it no younger, or a chain of operations would keep it for ever.</summary>
    public Timestamp TakenAt { get; }

    /// <param name="now">The present.</param>
    /// <param name="leavesOne">Whether to leave the last of many permits to a request that needs it more.</param>
    /// <returns>Null when none is free.</returns>
    public static ArmedPermit? TryTake(Timestamp now, bool leavesOne) =>
        ArmedPermits.TryTake(leavesOne) ? new ArmedPermit(now, null) : null;

    /// <summary>A share for an operation inside; null when another has it, or the permit was given back.</summary>
    public ArmedPermit? TryShare() =>
        Interlocked.CompareExchange(ref _state, Held | Shared, Held) == Held ? new ArmedPermit(TakenAt, this) : null;

    /// <returns>False when it was given back before.</returns>
    public bool TryGiveBack()
    {
        if ((Volatile.Read(ref _state) & Held) == 0 || !TryClear(Held, out var isFree))
        {
            return false;
        }

        // A loop: operations that hand over to one another make a long chain.
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

    /// <returns>False when that part was not set any more.</returns>
    private bool TryClear(int part, out bool isFree)
    {
        var before = Interlocked.And(ref _state, ~part);
        isFree = before == part;
        return (before & part) != 0;
    }
}
