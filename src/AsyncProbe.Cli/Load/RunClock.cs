using System.Diagnostics;
using AsyncProbe.Cli.Server;
using AsyncProbe.Cli.Statistics;

namespace AsyncProbe.Cli.Load;

/// <summary>
/// The run's clock on a dedicated thread: closes each second's figures, notifies the observer, and monitors the tool itself.
/// </summary>
internal sealed class RunClock : IDisposable
{
    private static readonly TimeSpan Tick = TimeSpan.FromMilliseconds(50);

    private readonly Recorders _recorders;
    private readonly RunObserver _observer;
    private readonly ReportPoller? _poller;
    private readonly long _began;
    private readonly long _from;
    private readonly long _to;
    private readonly ClientMonitor _client = new();
    private readonly List<SecondFigures> _seconds = [];
    private readonly ManualResetEventSlim _stop = new();
    private readonly Thread _thread;
    private long _failed;
    private bool _measuring;

    public RunClock(Recorders recorders, RunObserver observer, ReportPoller? poller, long began, long from, long to)
    {
        (_recorders, _observer, _poller, _began, _from, _to) = (recorders, observer, poller, began, from, to);
        _client.Begin();
        _thread = new Thread(Loop) { IsBackground = true, Name = "asyncprobe run clock" };
        _thread.Start();
    }

    public IReadOnlyList<SecondFigures> Seconds => _seconds;

    public ClientFigures Stop()
    {
        var figures = _client.End();
        _stop.Set();
        _thread.Join();
        return figures;
    }

    public void Dispose()
    {
        _stop.Set();
        _thread.Join();
        _stop.Dispose();
    }

    private void Loop()
    {
        var second = _began;
        while (!_stop.Wait(Tick))
        {
            var now = Stopwatch.GetTimestamp();
            _client.ProbePool();
            if (!_measuring && now >= _from)
            {
                _measuring = true;
                _client.Begin();
            }

            if (now - second >= Stopwatch.Frequency)
            {
                CloseSecond(second, now);
                second = now;
            }
        }

        CloseSecond(second, Stopwatch.GetTimestamp());
    }

    private void CloseSecond(long began, long ended)
    {
        var (latencies, failed) = _recorders.TakeSecond();
        var length = Stopwatch.GetElapsedTime(began, ended).TotalSeconds;
        if (length < 0.2)
        {
            return;
        }

        _failed += failed;
        var second = new SecondFigures
        {
            At = Math.Round(Stopwatch.GetElapsedTime(_began, ended).TotalSeconds, 2),
            WarmingUp = began < _from && ended - _from < Stopwatch.Frequency / 2,
            RequestsPerSecond = Math.Round(latencies.Count / length, 1),
            Failed = failed,
            P50Ms = Ms(latencies, 50),
            P95Ms = Ms(latencies, 95),
            P99Ms = Ms(latencies, 99),
        };
        _seconds.Add(second);
        TimeSpan? total = _to >= long.MaxValue / 4 ? null : Stopwatch.GetElapsedTime(_began, _to);
        _observer.Second(second, new RunSoFar(Stopwatch.GetElapsedTime(_began, ended), total, _recorders.Ended, _failed), _poller?.Latest);
    }

    private static double? Ms(Histogram latencies, double percent) =>
        latencies.Count == 0 ? null : Math.Round(latencies.Percentile(percent) / 1e6, 2);
}
