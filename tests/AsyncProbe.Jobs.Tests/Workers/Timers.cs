using Microsoft.Extensions.Hosting;

namespace AsyncProbe.Jobs.Tests.Workers;

/// <summary>A System.Threading.Timer. Each tick schedules the next one when it ends, so ticks never pile up.</summary>
internal sealed class BlockingTimer : IHostedService, IDisposable
{
    private readonly Timer _timer;

    public BlockingTimer() => _timer = new Timer(_ => OnTick());

    public Task StartAsync(CancellationToken cancellationToken)
    {
        _timer.Change(Later.Pause, Timeout.InfiniteTimeSpan);
        return Task.CompletedTask;
    }

    public Task StopAsync(CancellationToken cancellationToken) => Task.CompletedTask;

    public void Dispose() => _timer.Dispose();

    private void OnTick()
    {
        using (AsyncProbeOperation.Start("timer that blocks"))
        {
            Later.OnAsync().Wait();
        }

        _timer.Change(Later.Pause, Timeout.InfiniteTimeSpan);
    }
}

internal sealed class AwaitingTimer : IHostedService, IDisposable
{
    private readonly Timer _timer;

    public AwaitingTimer() => _timer = new Timer(_ => _ = OnTickAsync());

    public Task StartAsync(CancellationToken cancellationToken)
    {
        _timer.Change(Later.Pause, Timeout.InfiniteTimeSpan);
        return Task.CompletedTask;
    }

    public Task StopAsync(CancellationToken cancellationToken) => Task.CompletedTask;

    public void Dispose() => _timer.Dispose();

    private async Task OnTickAsync()
    {
        using (AsyncProbeOperation.Start("timer that awaits"))
        {
            await Later.OnAsync();
        }

        _timer.Change(Later.Pause, Timeout.InfiniteTimeSpan);
    }
}
