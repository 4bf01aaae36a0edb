namespace AsyncProbe.Pool.Diagnosis;

/// <summary>
/// Healthy, queueing or starved. Up as soon as the delay is more than a blip; down only after a second well below the threshold, so that
/// a delay around a threshold does not write a log line a second.
/// </summary>
/// <param name="queueingAfter">In nanoseconds.</param>
/// <param name="starvedAfter">In nanoseconds.</param>
internal sealed class PoolState(long queueingAfter, long starvedAfter)
{
    // One long collection or a suspended machine makes one long delay and no starvation.
    private const int TicksToStarved = 2;

    private const int TicksToQueueing = 3;
    private const int TicksToCalm = 10;

    private int _ticksStarved;
    private int _ticksQueueing;
    private int _ticksCalmer;
    private long _calmQueueDelay;

    public PoolCondition Condition { get; private set; }

    /// <summary>The longest queue delay of the second in which the pool last calmed down, in nanoseconds.</summary>
    public long CalmQueueDelay { get; private set; }

    /// <summary>Takes the next tick's queue delay.</summary>
    /// <param name="queueDelay">In nanoseconds.</param>
    /// <returns>Whether the condition changed.</returns>
    public bool Update(long queueDelay)
    {
        _ticksStarved = queueDelay >= starvedAfter ? _ticksStarved + 1 : 0;
        _ticksQueueing = queueDelay >= queueingAfter ? _ticksQueueing + 1 : 0;
        var risen = _ticksStarved >= TicksToStarved ? PoolCondition.Starved
            : _ticksQueueing >= TicksToQueueing ? PoolCondition.Queueing
            : PoolCondition.Healthy;
        var next = risen > Condition ? risen : Settle(queueDelay);
        if (next == Condition)
        {
            return false;
        }

        Condition = next;
        Restart();
        return true;
    }

    private PoolCondition Settle(long queueDelay)
    {
        if (ConditionAt(queueDelay) >= Condition)
        {
            Restart();
            return Condition;
        }

        _calmQueueDelay = Math.Max(_calmQueueDelay, queueDelay);
        if (++_ticksCalmer < TicksToCalm)
        {
            return Condition;
        }

        CalmQueueDelay = _calmQueueDelay;
        return ConditionAt(_calmQueueDelay);
    }

    private PoolCondition ConditionAt(long queueDelay) =>
        queueDelay >= starvedAfter / 2 ? PoolCondition.Starved
        : queueDelay >= queueingAfter / 2 ? PoolCondition.Queueing
        : PoolCondition.Healthy;

    private void Restart() => (_ticksCalmer, _calmQueueDelay) = (0, 0);
}
