using System.Diagnostics;
using AsyncProbe.Cli.Server;

namespace AsyncProbe.Cli.Load;

/// <summary>One load, from its first request to the last answer.</summary>
internal sealed class LoadRun(PreparedSession prepared, ReportPoller? poller, RunObserver observer)
{
    /// <summary>A timestamp that no run reaches, but far enough from overflow to add times to it.</summary>
    private const long Never = long.MaxValue / 4;

    /// <summary>Requests end by their own timeout; this is the extra time they get to notice it.</summary>
    private static readonly TimeSpan EndTimeout = TimeSpan.FromSeconds(2);

    private static readonly TimeSpan TimerSlack = TimeSpan.FromMilliseconds(10);

    private readonly LoadSettings _settings = prepared.Settings;

    public async Task<LoadFacts> RunAsync(CancellationToken interrupt)
    {
        var recorders = new Recorders(prepared.Requests.Length);
        using var model = CreateModel(recorders);
        var warmup = _settings.Once ? TimeSpan.Zero : _settings.Warmup;
        observer.Begin(prepared, warmup);
        var startedAt = DateTimeOffset.UtcNow;
        var began = Stopwatch.GetTimestamp();
        var from = began + Ticks(warmup);
        var to = _settings.Once || _settings.Duration is not { } duration ? Never : from + Ticks(duration);
        var measured = new MeasuredTime(from, to) { Begin = began };
        recorders.Measured = _settings is { IsOpen: true, Rate: { } rate } ? measured.Plan(rate, _settings.Requests) : measured;
        poller?.BeginAt(from, loadBegan: began);
        using var clock = new RunClock(recorders, observer, poller, began, from, to);

        var (interrupted, sendingEnded) = await SendAsync(model, to, interrupt);
        var client = clock.Stop();
        var unanswered = model.Unanswered();
        var tallies = recorders.Merge();
        observer.End();
        return new LoadFacts
        {
            Prepared = prepared,
            Tallies = tallies,
            StartedAt = startedAt,
            Began = began,
            Warmup = warmup,
            Measured = Stopwatch.GetElapsedTime(from, Math.Max(from + 1, Math.Min(sendingEnded, to))),
            SettledTime = recorders.Measured.SettledTime,
            Answered = Stopwatch.GetElapsedTime(from, Math.Max(from + 1, tallies.LastEnded)),
            Interrupted = interrupted,
            Seconds = clock.Seconds,
            Client = client,
            Unanswered = unanswered,
            Connections = model.Connections,
        };
    }

    private ILoadModel CreateModel(Recorders recorders)
    {
        var authorization = new SharedAuthorization();
        return _settings.IsOpen
            ? new OpenModel(_settings, prepared.Users, recorders, authorization)
            : new ClosedModel(_settings, prepared.Users, recorders, authorization);
    }

    /// <summary>Returns whether the run was interrupted before its end, and when the last request was sent.</summary>
    private async Task<(bool Interrupted, long SendingEnded)> SendAsync(ILoadModel model, long to, CancellationToken interrupt)
    {
        using var quit = CancellationTokenSource.CreateLinkedTokenSource(interrupt, observer.QuitToken);
        using var stop = CancellationTokenSource.CreateLinkedTokenSource(quit.Token);
        var driving = model.RunAsync(stop.Token);
        // Timers may fire a few milliseconds early, which must not shorten the measured time.
        var left = _settings.IsOpen || to >= Never
            ? Timeout.InfiniteTimeSpan
            : Stopwatch.GetElapsedTime(Stopwatch.GetTimestamp(), to) + TimerSlack;
        await Task.WhenAny(driving, Task.Delay(left, quit.Token));
        var sendingEnded = Stopwatch.GetTimestamp();
        await stop.CancelAsync();
        // Wait for requests in flight until their own timeout: cutting them off would count only the fast ones.
        await Task.WhenAny(driving, Task.Delay(_settings.Timeout + EndTimeout, quit.Token));
        return (quit.IsCancellationRequested, sendingEnded);
    }

    private static long Ticks(TimeSpan time) => (long)(time.TotalSeconds * Stopwatch.Frequency);
}
