using System.Diagnostics;
using AsyncProbe.Cli.Results;
using AsyncProbe.Cli.Sessions;

namespace AsyncProbe.Cli.Load;

/// <summary>One run from the first request to the frozen figures.</summary>
internal sealed class LoadRun(Session session, LoadSettings settings, ProbeChoice probe, IRunObserver observer)
{
    /// <summary>A timestamp no run reaches; far from overflow when times are added.</summary>
    private const long Never = long.MaxValue / 4;

    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(2);
    private static readonly TimeSpan TimerSlack = TimeSpan.FromMilliseconds(10);

    public async Task<RunResult> RunAsync(CancellationToken interrupt)
    {
        var users = new RequestPreparer(session, settings).PrepareForUsers();
        var recorders = new Recorders(users[0].Length);
        var authorization = new SharedAuthorization();
        using ILoadModel model = settings.IsOpen
            ? new OpenModel(settings, users, recorders, authorization)
            : new ClosedModel(settings, users, recorders, authorization);
        var (poller, status) = await ProbeFinder.FindAsync(probe, users[0][0].Url, settings, interrupt);
        using var ownedPoller = poller;

        var startedAt = DateTimeOffset.UtcNow;
        var began = Stopwatch.GetTimestamp();
        var warmup = settings.Once ? TimeSpan.Zero : settings.Warmup;
        var from = began + Ticks(warmup);
        var to = settings.Once || settings.Duration is not { } duration ? Never : from + Ticks(duration);
        recorders.Measured = new MeasuredTime(from, to);
        poller?.BeginAt(from);
        using var watch = new RunWatch(recorders, observer, poller, began, from, to);
        observer.Begin(session, settings, warmup);

        var (interrupted, sendingEnded) = await DriveAsync(model, to, interrupt);
        var client = watch.Stop();
        var unanswered = model.Unanswered();
        var measured = Stopwatch.GetElapsedTime(from, Math.Max(from + 1, Math.Min(sendingEnded, to)));
        var tallies = recorders.Merge();
        model.Dispose();
        observer.End();
        if (poller is not null)
        {
            await poller.EndAsync(patiently: !interrupt.IsCancellationRequested);
        }

        return ResultBuilder.Build(new RunFacts
        {
            Session = session,
            Settings = settings,
            Requests = users[0],
            Tallies = tallies,
            Answered = Stopwatch.GetElapsedTime(from, Math.Max(from + 1, tallies.LastEnded)),
            StartedAt = startedAt,
            Warmup = warmup,
            Measured = measured,
            Interrupted = interrupted,
            Seconds = watch.Seconds,
            Client = client,
            Unanswered = unanswered,
            Connections = (model as OpenModel)?.Connections ?? (settings.Once ? 1 : settings.Threads),
            Server = poller is null ? ServerSide.Without(status, probe.Describe(users[0][0].Url)) : ServerJoin.Build(poller, began),
        });
    }

    /// <summary>Whether it was interrupted before its end, and when the last request was sent.</summary>
    private async Task<(bool Interrupted, long SendingEnded)> DriveAsync(ILoadModel model, long to, CancellationToken interrupt)
    {
        using var quit = CancellationTokenSource.CreateLinkedTokenSource(interrupt, observer.QuitToken);
        using var stop = CancellationTokenSource.CreateLinkedTokenSource(quit.Token);
        var driving = model.RunAsync(stop.Token);
        // Timers may fire a few milliseconds early, and the measured time is meant to be whole.
        var left = settings.IsOpen || to >= Never ? Timeout.InfiniteTimeSpan : Stopwatch.GetElapsedTime(Stopwatch.GetTimestamp(), to) + TimerSlack;
        await Task.WhenAny(driving, Task.Delay(left, quit.Token));
        var sendingEnded = Stopwatch.GetTimestamp();
        await stop.CancelAsync();
        // What is under way is answered, or ended by its own timeout: cutting the slow ones off would leave the fast ones to speak for all.
        await Task.WhenAny(driving, Task.Delay(settings.Timeout + Patience, quit.Token));
        return (quit.IsCancellationRequested, sendingEnded);
    }

    private static long Ticks(TimeSpan time) => (long)(time.TotalSeconds * Stopwatch.Frequency);
}
