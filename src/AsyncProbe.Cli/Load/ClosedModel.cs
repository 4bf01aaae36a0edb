using System.Diagnostics;

namespace AsyncProbe.Cli.Load;

/// <summary>
/// Works like WebSurge: a fixed number of threads each send the whole list repeatedly, and send the next request when the last one is
/// answered. A slow server gets fewer requests, so these latencies say nothing about users who don't wait for each other.
/// </summary>
internal sealed class ClosedModel : ILoadModel
{
    /// <summary>Without this pause, a server that refuses connections would get requests as fast as a core can fail them.</summary>
    private static readonly TimeSpan PauseAfterNoAnswer = TimeSpan.FromMilliseconds(20);

    private readonly LoadSettings _settings;
    private readonly Recorders _recorders;
    private readonly SharedConnections? _shared;
    private readonly SimulatedThread[] _threads;
    private long _left;

    public ClosedModel(LoadSettings settings, PreparedRequest[][] users, Recorders recorders, SharedAuthorization authorization)
    {
        _settings = settings;
        _recorders = recorders;
        _left = settings.Once ? users[0].Length : settings.Requests ?? long.MaxValue;
        _shared = SharedConnections.Create(settings);
        var redirects = new Redirects(users.SelectMany(user => user).Select(request => request.Url));
        _threads = [.. Enumerable.Range(0, settings.Once ? 1 : settings.Threads)
            .Select(
                i => new SimulatedThread(
                    settings, RequestOrder.Create(users[i % users.Length], settings.Randomize, i), authorization, redirects,
                    _shared?.CreateClient(i)))];
    }

    public int Connections => _threads.Length;

    public Task RunAsync(CancellationToken stop) =>
        Task.WhenAll(_threads.Select(thread => Task.Run(() => LoopAsync(thread, stop), CancellationToken.None)));

    public Unanswered Unanswered()
    {
        var now = Stopwatch.GetTimestamp();
        var sent = _threads.Select(thread => thread.SentAt).Where(at => at != 0).ToArray();
        return new(sent.Length, sent.Length == 0 ? TimeSpan.Zero : Stopwatch.GetElapsedTime(sent.Min(), now));
    }

    public void Dispose()
    {
        Array.ForEach(_threads, thread => thread.Dispose());
        _shared?.Dispose();
    }

    private async Task LoopAsync(SimulatedThread thread, CancellationToken stop)
    {
        while (true)
        {
            foreach (var request in thread.Requests)
            {
                var sent = Stopwatch.GetTimestamp();
                if (stop.IsCancellationRequested || !MayStart(sent))
                {
                    return;
                }

                var outcome = await thread.SendAsync(request, planned: sent, sent).ConfigureAwait(false);
                _recorders.Record(outcome);
                var pause = outcome.Status == 0 && _settings.Delay < PauseAfterNoAnswer ? PauseAfterNoAnswer : _settings.Delay;
                if (pause > TimeSpan.Zero && !await PauseAsync(pause, stop).ConfigureAwait(false))
                {
                    return;
                }
            }
        }
    }

    private bool MayStart(long sent)
    {
        if (_settings.Requests is null && !_settings.Once)
        {
            return true;
        }

        return sent < _recorders.Measured.From || Interlocked.Decrement(ref _left) >= 0;
    }

    private static async Task<bool> PauseAsync(TimeSpan pause, CancellationToken stop)
    {
        await Task.Delay(pause, stop).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        return !stop.IsCancellationRequested;
    }
}
