using System.Diagnostics;
using AsyncProbe.Cli.Snapshots;

namespace AsyncProbe.Cli.Server;

/// <summary>
/// Polls the server once a second from a dedicated thread and keeps what the join needs: the snapshots from which the counts begin and at
/// which they end, the latest one, and how often the server didn't answer.
/// </summary>
internal sealed class ReportPoller : IDisposable
{
    /// <summary>From here on, it matters that the counts begin before or after the end of the warm-up.</summary>
    public static readonly TimeSpan Late = TimeSpan.FromMilliseconds(100);

    private static readonly TimeSpan PollTimeout = TimeSpan.FromSeconds(2);

    /// <summary>After a run, a starved pool takes a while to answer again; the differences are worth the wait.</summary>
    private static readonly TimeSpan LastTimeout = TimeSpan.FromSeconds(15);

    /// <summary>A lifeline or an attached probe answers with the same report for that long.</summary>
    private static readonly TimeSpan KeptFor = TimeSpan.FromMilliseconds(250);

    // A read may outlast its timeout, for instance in a name lookup.
    private static readonly TimeSpan s_grace = TimeSpan.FromSeconds(1);

    private readonly ServerReport _report;
    private readonly CancellationTokenSource _cancel = new();
    private readonly AutoResetEvent _wake = new(initialState: false);
    private readonly TaskCompletionSource _finished = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private long _loadBegan;
    private long _measuredFrom;
    private volatile ServerSnapshot? _latest;
    private volatile bool _ending;

    private ReportPoller(ServerReport report, ServerSnapshot first)
    {
        _report = report;
        _latest = first;
        BeforeLoad = first;
        Begin = first;
        Worst = first.Pool;
        Unclaimed = first.Pool.Unclaimed;
    }

    /// <summary>A warm server with a free thread has answered by then, however large its report is.</summary>
    public static TimeSpan Usual { get; } = TimeSpan.FromSeconds(3);

    public Uri Url => _report.Url;

    /// <summary>Whether this tool started the server, so that all of its counts belong to the run.</summary>
    public bool IsServerStarted { get; private init; }

    public ServerSnapshot? Latest => _latest;

    public ServerSnapshot BeforeLoad { get; }

    /// <summary>The snapshot from which the run's counts begin; see <see cref="NearerTo"/>.</summary>
    public ServerSnapshot Begin { get; private set; }

    /// <summary>
    /// How long after the end of the warm-up <see cref="Begin"/> came; negative if it came before, in the warm-up.
    /// </summary>
    public TimeSpan BeginOffset { get; private set; }

    public ServerSnapshot End => _latest!;

    /// <summary>Whether the last poll is over; a live view reads the figures before that.</summary>
    public bool HasEnded => _finished.Task.IsCompleted;

    /// <summary>False when even the last, long poll got no answer; the end is then the last answer before it.</summary>
    public bool EndAnswered { get; private set; }

    public PollCounts Polls { get; } = new();

    public TimeSpan LongestSilence { get; private set; }

    /// <summary>The worst state in any answer since the end of the warm-up.</summary>
    public PoolSnapshot Worst { get; private set; }

    /// <summary>The lines in the last snapshot that found threads which don't run a known request.</summary>
    public IReadOnlyList<UnclaimedSnapshot> Unclaimed { get; private set; }

    /// <summary>Asks once, before the load, whether the server has a report, and gives up in time whatever hangs.</summary>
    /// <param name="report">The report; it is disposed with the poller, or here if there is none.</param>
    /// <param name="slowest">How long to wait if that is longer than usual: a cold server still has to compile the code for the
    /// report.</param>
    /// <param name="onWait">Called when the usual time is over, with the report's URL and the longest time.</param>
    /// <param name="isServerStarted">Whether this tool started the server.</param>
    /// <returns>Without a poller, the answer says why.</returns>
    public static async Task<(ReportPoller? Poller, ServerAnswer Answer)> FindAsync(
        ServerReport report, TimeSpan slowest, CancellationToken cancellationToken, Action<Uri, TimeSpan>? onWait = null,
        bool isServerStarted = false)
    {
        var longest = slowest > Usual ? slowest : Usual;
        var reading = report.ReadAsync(longest, cancellationToken);
        var limit = Task.Delay(longest + s_grace, CancellationToken.None);
        if (longest > Usual && await Task.WhenAny(reading, Task.Delay(Usual, cancellationToken)) != reading
            && !cancellationToken.IsCancellationRequested)
        {
            onWait?.Invoke(report.Url, longest);
        }

        await Task.WhenAny(reading, limit);
        var answer = reading.IsCompleted ? await reading : report.NoAnswer(longest);
        if (answer.Snapshot is { } snapshot)
        {
            return (new(report, snapshot) { IsServerStarted = isServerStarted }, answer);
        }

        report.Dispose();
        return (null, answer);
    }

    /// <summary>
    /// Chooses the snapshot from which the counts begin: without a warm-up the one before the load, because nothing of the run is in it.
    /// Otherwise the nearer one: a starved server may answer only when most of the run's requests are over, and a cold one may need a
    /// second for its first report.
    /// </summary>
    /// <param name="measuredFrom">The end of the warm-up.</param>
    /// <param name="loadBegan">When the load began. Nothing of the run was counted before.</param>
    /// <param name="previous">The last answer to a poll before the end of the warm-up. It may have come after that.</param>
    /// <param name="next">The answer to the poll at the end of the warm-up; null if none came in time.</param>
    /// <returns>The snapshot, and how long after the end of the warm-up it came.</returns>
    public static (ServerSnapshot Begin, TimeSpan Offset) NearerTo(
        long measuredFrom, long loadBegan, ServerSnapshot previous, ServerSnapshot? next)
    {
        var early = Stopwatch.GetElapsedTime(Math.Max(loadBegan, previous.ReceivedAt), measuredFrom);
        var late = next is null ? TimeSpan.MaxValue : Stopwatch.GetElapsedTime(measuredFrom, next.ReceivedAt);
        return next is not null && loadBegan < measuredFrom && (late < Late || late <= early) ? (next, late) : (previous, -early);
    }

    /// <summary>Starts polling; one of the polls is at the end of the warm-up.</summary>
    /// <param name="measuredFrom">The end of the warm-up.</param>
    /// <param name="loadBegan">When the load began; 0 if others cause it.</param>
    public void BeginAt(long measuredFrom, long loadBegan = 0)
    {
        _loadBegan = loadBegan;
        _measuredFrom = measuredFrom;
        new Thread(Loop) { IsBackground = true, Name = "asyncprobe server polls" }.Start();
    }

    /// <summary>Takes the last snapshot.</summary>
    public Task EndAsync(bool waitForAnswer)
    {
        _ending = true;
        if (!waitForAnswer)
        {
            _cancel.CancelAfter(PollTimeout);
        }

        _wake.Set();
        return _finished.Task;
    }

    public void Dispose()
    {
        _cancel.Cancel();
        _report.Dispose();
        _cancel.Dispose();
    }

    private void Loop()
    {
        try
        {
            var next = Stopwatch.GetTimestamp();
            var begun = false;
            while (!_ending)
            {
                next += Stopwatch.Frequency;
                var due = begun || Stopwatch.GetElapsedTime(next, _measuredFrom) > KeptFor ? next : _measuredFrom;
                _wake.WaitOne(Until(due));
                if (_ending)
                {
                    break;
                }

                var isBegin = !begun && Stopwatch.GetTimestamp() >= _measuredFrom;
                var previous = _latest!;
                var snapshot = Poll(PollTimeout, mayBeShared: !isBegin);
                if (isBegin)
                {
                    (Begin, BeginOffset) = NearerTo(_measuredFrom, _loadBegan, previous, snapshot);
                    Worst = (snapshot ?? previous).Pool;
                    begun = true;
                    next = Stopwatch.GetTimestamp();
                }
            }

            // A report from before the last requests would leave them out.
            _cancel.Token.WaitHandle.WaitOne(Until(_latest!.ReceivedAt, KeptFor));
            EndAnswered = Poll(LastTimeout, mayBeShared: false) is not null;
        }
        catch (Exception)
        {
            // The run was abandoned, or something here failed. Either way the run's own figures matter more than this thread.
        }
        finally
        {
            _finished.TrySetResult();
        }
    }

    private ServerSnapshot? Poll(TimeSpan timeout, bool mayBeShared)
    {
        var answer = _report.Read(timeout, _cancel.Token, mayBeShared);
        Polls.Add(answer);
        var snapshot = answer.Snapshot;
        var silence = Stopwatch.GetElapsedTime(_latest!.ReceivedAt);
        LongestSilence = silence > LongestSilence ? silence : LongestSilence;
        _latest = snapshot ?? _latest;
        Worst = snapshot is not null && snapshot.Pool.Severity >= Worst.Severity ? snapshot.Pool : Worst;
        Unclaimed = snapshot is { Pool.Unclaimed: { Count: > 0 } seen } ? seen : Unclaimed;
        return snapshot;
    }

    private static TimeSpan Until(long due, TimeSpan after = default)
    {
        var left = Stopwatch.GetElapsedTime(Stopwatch.GetTimestamp(), due) + after;
        return left > TimeSpan.Zero ? left : TimeSpan.Zero;
    }
}
