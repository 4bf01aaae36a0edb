using AsyncProbe.Common;
using AsyncProbe.Pool.Sampling;
using Microsoft.Extensions.Logging;

namespace AsyncProbe.Pool.Diagnosis;

/// <summary>
/// Logs what happens to the pool, while it happens: once for each change, again when more is known, and every ten seconds while the pool is
/// starved. Logs nothing while a debugger is attached, because at a breakpoint everything waits for the developer. Only for the watcher's
/// thread.
/// </summary>
/// <param name="logger">Gets the lines.</param>
/// <param name="isDebugged">Whether a debugger is attached.</param>
/// <param name="leastDelay">
/// A repeated line needs at least this queue delay. A pool counts as starved until it has been calm for a second, and a line from that
/// second would say "starved" next to a delay of 2 ms.
/// </param>
internal sealed class PoolStateLogger(ILogger logger, Func<bool> isDebugged, Duration leastDelay = default)
{
    private static Duration RepeatAfter => 10 * Duration.Second;

    private Timestamp _loggedAt;
    private int _loggedWorth;
    private Timestamp _episodeBegan;
    private Timestamp _starvedSince;
    private Duration _starvedFor;
    private Duration _longestDelay;
    private bool _hasRecommended;

    /// <param name="verdict">The current verdict.</param>
    /// <param name="before">The previous verdict.</param>
    /// <param name="sample">The pool at this moment.</param>
    /// <param name="calmQueueDelay">
    /// The longest queue delay of the second in which the pool last calmed down. The current delay is usually zero.
    /// </param>
    public void OnChange(PoolVerdict verdict, PoolVerdict before, PoolSample sample, Duration calmQueueDelay)
    {
        if (before.Condition == PoolCondition.Healthy)
        {
            (_longestDelay, _hasRecommended, _episodeBegan, _starvedFor) = (Duration.Zero, false, sample.TakenAt, Duration.Zero);
        }

        if (verdict.Condition == PoolCondition.Starved)
        {
            _starvedSince = sample.TakenAt;
        }
        else if (before.Condition == PoolCondition.Starved)
        {
            _starvedFor += sample.TakenAt - _starvedSince;
        }

        Note(sample);
        if (isDebugged())
        {
            return;
        }

        if (verdict.Condition == PoolCondition.Starved)
        {
            LogStarved(verdict, sample);
        }
        else if (before.Condition == PoolCondition.Starved && verdict.Condition == PoolCondition.Queueing)
        {
            Log.PoolStillQueues(logger, (sample.TakenAt - _starvedSince).TotalSeconds, calmQueueDelay.ToMilliseconds());
        }
        else if (verdict.Condition == PoolCondition.Queueing)
        {
            Log.PoolQueueing(
                logger,
                PoolSentences.Name(verdict.Cause),
                sample.QueueDelay.ToMilliseconds(),
                sample.Pending,
                sample.Busy,
                sample.Threads,
                PoolSentences.Explain(verdict));
        }
        else
        {
            Log.PoolHealthy(
                logger,
                (sample.TakenAt - _episodeBegan).TotalSeconds,
                _starvedFor.TotalSeconds,
                _longestDelay.TotalSeconds,
                sample.Threads);
        }
    }

    public void OnTick(PoolVerdict verdict, PoolSample sample)
    {
        Note(sample);
        if (verdict is not { Condition: PoolCondition.Starved, Diagnosis: { } diagnosis } || isDebugged())
        {
            return;
        }

        if (PoolSentences.SampleOf(verdict, sample).QueueDelay >= leastDelay
            && (diagnosis.Worth > _loggedWorth || sample.TakenAt - _loggedAt >= RepeatAfter))
        {
            LogStarved(verdict, sample);
        }
    }

    private void Note(PoolSample sample) => _longestDelay = Duration.Max(_longestDelay, sample.QueueDelay);

    private void LogStarved(PoolVerdict verdict, PoolSample sample)
    {
        (_loggedAt, _loggedWorth) = (sample.TakenAt, verdict.Diagnosis?.Worth ?? 0);
        var then = PoolSentences.SampleOf(verdict, sample);
        Log.PoolStarved(
            logger,
            PoolSentences.Name(verdict.Cause),
            then.QueueDelay.ToMilliseconds(),
            then.Pending,
            then.Busy,
            then.Threads,
            PoolSentences.Explain(verdict),
            PoolSentences.Advise(verdict, withMinimum: !_hasRecommended));
        _hasRecommended |= verdict.Diagnosis?.RecommendedMinimum is not null;
    }
}
