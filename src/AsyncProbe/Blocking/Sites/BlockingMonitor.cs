using System.Diagnostics;
using AsyncProbe.Blocking.Hook;
using AsyncProbe.Blocking.Stacks;
using AsyncProbe.Clocks;
using AsyncProbe.Common;
using AsyncProbe.Pool.Sampling;
using AsyncProbe.Reporting.Metrics;
using AsyncProbe.Requests.Endpoints;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Options;

namespace AsyncProbe.Blocking.Sites;

/// <summary>
/// The room's part that is off the request: the self-test, EF Core's events, and on the watcher's thread the log lines, whose file and
/// line take milliseconds to find.
/// </summary>
internal sealed class BlockingMonitor(
    BlockingSites sites,
    Arming arming,
    WaitRecorder recorder,
    Metrics metrics,
    Frames frames,
    EndpointTable endpoints,
    IEnumerable<IStackSource> stackSources,
    IOptions<AsyncProbeOptions> options,
    Faults faults,
    ILogger<BlockingMonitor> logger) : IWatcherListener
{
    private const long HangsAfter = Nanoseconds.PerSecond;

    private readonly SiteLog _log = new(sites, options.Value.MaxWarningsPerHour, logger, static () => Debugger.IsAttached);
    private readonly bool _isOn = options.Value is { Enabled: true, Detection: not (null or BlockingDetection.Off) };
    private readonly Action<WaitKind, long> _count = (kind, waits) => metrics.OnBlockingCalls(kind.Name(), waits);
    private Watcher? _watcher;
    private EfCoreCommands? _efCore;

    /// <summary>Whether the wait hook looks for places at all.</summary>
    public bool IsLooking => _isOn;

    /// <summary>Whether the watcher tells it of what is held now.</summary>
    public bool IsWatching => _watcher is not null;

    /// <summary>What the self-test found; null before the start, and when detection is off.</summary>
    public string? SelfTestResult { get; private set; }

    public async Task StartAsync()
    {
        if (_watcher is not null)
        {
            return;
        }

        if (_isOn)
        {
            await StartDetectionAsync().ConfigureAwait(false);
        }

        // Snapshots find sites without the hook too.
        if (_isOn || (options.Value.Enabled && stackSources.Any()))
        {
            _watcher = Watcher.Join(this);
        }
    }

    public void Stop()
    {
        Interlocked.Exchange(ref _watcher, null)?.Leave(this);
        _efCore?.Unsubscribe();
        recorder.TellCounts(_count);
    }

    public void OnTick(PoolSample sample, LiveSegments live)
    {
        foreach (var segment in live.All)
        {
            if (segment is { IsBlocked: true, Held: >= HangsAfter, Probe: { Totals: { } totals, HasEnded: false } } && endpoints.Owns(totals))
            {
                arming.OnHanging(totals);
            }
        }

        recorder.TellCounts(_count);
        _log.TellNew();
    }

    public void OnSecond(PoolSample sample, LiveSegments live, ProcessLoad load) => _log.TellRepeats();

    public void OnFault(Exception exception) => faults.Note(exception);

    private async Task StartDetectionAsync()
    {
        SelfTestResult = await SelfTest.RunAsync().ConfigureAwait(false);
        if (SelfTestResult != SelfTest.Passed)
        {
            Log.SelfTestFailed(logger, SelfTestResult);
        }

        _efCore = new EfCoreCommands(recorder, frames, endpoints, faults, Nanoseconds.From(options.Value.MinimumBlocked));
        _efCore.Subscribe();
    }
}
