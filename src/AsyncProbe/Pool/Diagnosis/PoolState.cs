using AsyncProbe.Common;

namespace AsyncProbe.Pool.Diagnosis;

/// <summary>
/// Healthy, queueing or starved. Rises as soon as the delay is more than a blip. Falls only after a second well below the threshold, so
/// that a delay close to a threshold doesn't log a line every second.
/// </summary>
/// <param name="queueingAfter">The queue delay at which the pool counts as queueing.</param>
/// <param name="starvedAfter">The same for starved.</param>
internal sealed class PoolState(Duration queueingAfter, Duration starvedAfter)
{
    // One long collection or a suspended machine causes one long delay, but no starvation.
    private const int TicksToStarved = 2;

    private const int TicksToQueueing = 3;
    private const int TicksToCalm = 10;

    private int _ticksStarved;
    private int _ticksQueueing;
    private int _ticksCalmer;
    private Duration _calmQueueDelay;

    public PoolCondition Condition { get; private set; }

    /// <summary>The longest queue delay of the second in which the pool last calmed down.</summary>
    public Duration CalmQueueDelay { get; private set; }

    /// <summary>Processes the next tick's queue delay.</summary>
    /// <param name="queueDelay">How long a work item waits.</param>
    /// <param name="isStarting">
    /// Whether the host has yet to start. Until then the threads compile code, so a short wait says nothing about the application.
    /// </param>
    /// <returns>Whether the condition changed.</returns>
    public bool Update(Duration queueDelay, bool isStarting = false)
    {
        _ticksStarved = queueDelay >= starvedAfter ? _ticksStarved + 1 : 0;
        _ticksQueueing = queueDelay >= queueingAfter && !isStarting ? _ticksQueueing + 1 : 0;
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

    private PoolCondition Settle(Duration queueDelay)
    {
        if (ConditionAt(queueDelay) >= Condition)
        {
            Restart();
            return Condition;
        }

        _calmQueueDelay = Duration.Max(_calmQueueDelay, queueDelay);
        if (++_ticksCalmer < TicksToCalm)
        {
            return Condition;
        }

        CalmQueueDelay = _calmQueueDelay;
        return ConditionAt(_calmQueueDelay);
    }

    private PoolCondition ConditionAt(Duration queueDelay) =>
        queueDelay >= starvedAfter / 2 ? PoolCondition.Starved
        : queueDelay >= queueingAfter / 2 ? PoolCondition.Queueing
        : PoolCondition.Healthy;

    private void Restart() => (_ticksCalmer, _calmQueueDelay) = (0, Duration.Zero);
}
