using System.Diagnostics;
using AsyncProbe.Clocks;
using AsyncProbe.Common;
using AsyncProbe.Pool.Sampling;
using AsyncProbe.Requests.Endpoints;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Options;

namespace AsyncProbe.Pool.Diagnosis;

/// <summary>
/// One host's subscription to the watcher: the last sample, the history, the segments held now, and the verdict on the pool.
/// </summary>
internal sealed class PoolMonitor(
    IOptions<AsyncProbeOptions> options, PoolIntervals intervals, EndpointTable endpoints, IWaitFinder waits,
    IEnumerable<IStackSource> sources, Faults faults,
    ILogger<PoolMonitor> logger, IHostApplicationLifetime? lifetime = null)
    : IWatcherListener
{
    private static readonly PoolSample s_unknown = new(DateTime.UtcNow, ThreadPool.ThreadCount, 0, 0, 0, Duration.Zero, Duration.Zero);

    // A diagnosis on every tick would flicker with requests that end together; this still names a cause well within a second.
    private static Duration ExamineAfter => Duration.FromMilliseconds(450);

    // Keep a known cause in the verdict for this long after it was last seen.
    private static Duration PastFor => 3 * Duration.Second;

    private readonly bool _hasSnapshots = sources.Any();
    private readonly bool _isEnabled = options.Value.Enabled;
    private readonly PoolState _state = new(Duration.From(options.Value.QueueingThreshold), Duration.From(options.Value.StarvedThreshold));
    private readonly RequestRate _requestRate = new();
    private readonly PoolStateLogger _stateLogger = new(
        logger, static () => Debugger.IsAttached, Duration.From(options.Value.QueueingThreshold));

    private WatcherSubscription? _subscription;
    private Timestamp _examinedAt;
    private int? _recommended;

    public PoolHistory History { get; } = new((int)options.Value.History.TotalSeconds);

    public PoolSample Latest { get; private set; } = s_unknown;

    /// <summary>The longest queue delay of the last full second.</summary>
    public Duration QueueDelayMax { get; private set; }

    public LiveSegments Live { get; private set; } = LiveSegments.None;

    public PoolVerdict Verdict { get; private set; } = new(PoolCondition.Healthy, DateTime.UtcNow, null);

    public Duration? WatcherCpu => _subscription?.Cpu;

    /// <summary>Whether the watcher reads the pool. If it doesn't, the figures mean nothing.</summary>
    public bool IsWatching => Watch == PoolWatch.On;

    public PoolWatch Watch => _subscription switch
    {
        null => PoolWatch.Off,
        { IsRunning: true } => PoolWatch.On,
        _ => PoolWatch.Lost,
    };

    public void Start()
    {
        if (_isEnabled)
        {
            _subscription ??= Watcher.Subscribe(this, faults);
        }
    }

    public void Stop() => Interlocked.Exchange(ref _subscription, null)?.Dispose();

    public void OnTick(PoolSample sample, LiveSegments live)
    {
        Latest = sample;
        Live = live;
        intervals.OnTick(sample.Threads, sample.QueueDelay);
        if (!sample.IsLate)
        {
            Judge(sample, live);
        }
    }

    public void OnSecond(PoolSample sample, LiveSegments live, ProcessLoad load)
    {
        QueueDelayMax = sample.QueueDelayMax;
        int? blocked = ThreadClock.HasCpu ? live.Blocked : null;
        History.Add(new PoolSecond(sample.At, sample.Threads, sample.Pending, sample.Busy, sample.QueueDelayMax, blocked, load.CpuPercent)
        {
            RequestsPerSecond = _requestRate.Next(endpoints.SumRequestsAndCpu().Requests, Timestamp.Now()),
        });
    }

    private void Judge(PoolSample sample, LiveSegments live)
    {
        var before = Verdict;
        if (_state.Update(sample.QueueDelay, lifetime is { ApplicationStarted.IsCancellationRequested: false }))
        {
            var diagnosis = _state.Condition == PoolCondition.Healthy ? null : Examine(sample, live);
            Verdict = new PoolVerdict(_state.Condition, sample.At, diagnosis);
            _stateLogger.OnChange(Verdict, before, sample, _state.CalmQueueDelay);
            return;
        }

        if (before.Diagnosis is { } last && sample.TakenAt - _examinedAt >= ExamineAfter)
        {
            var now = Examine(sample, live);
            var isPast = now.Cause == PoolCause.Unknown && last.Cause != PoolCause.Unknown
                && sample.TakenAt - last.Sample.TakenAt < PastFor;
            Verdict = before with { Diagnosis = isPast ? last with { IsPast = true } : now };
        }

        _stateLogger.OnTick(Verdict, sample);
    }

    private PoolDiagnosis Examine(PoolSample sample, LiveSegments live)
    {
        _examinedAt = sample.TakenAt;
        var diagnosis = PoolAnalyzer.Analyze(sample, live, waits);

        // Recommend once per episode, which lasts from the first queueing until the pool is healthy again.
        _recommended = Verdict.Condition == PoolCondition.Healthy ? null : _recommended;
        _recommended ??= _state.Condition == PoolCondition.Starved ? diagnosis.HelpfulMinimum : null;
        return diagnosis with { RecommendedMinimum = _recommended, WillLook = waits.WillLook, HasSnapshots = _hasSnapshots };
    }
}
