using Microsoft.Extensions.Hosting;

namespace AsyncProbe.Jobs.Tests.Workers;

internal sealed class BlockingService : BackgroundService
{
    protected override async Task ExecuteAsync(CancellationToken stoppingToken)
    {
        using var timer = new PeriodicTimer(Later.Pause);
        while (await timer.WaitForNextTickAsync(stoppingToken))
        {
            using (AsyncProbeOperation.Start("service that blocks"))
            {
                Import();
            }
        }
    }

    private static void Import() => Later.OnAsync().Wait();
}

internal sealed class AwaitingService : BackgroundService
{
    protected override async Task ExecuteAsync(CancellationToken stoppingToken)
    {
        using var timer = new PeriodicTimer(Later.Pause);
        while (await timer.WaitForNextTickAsync(stoppingToken))
        {
            using (AsyncProbeOperation.Start("service that awaits"))
            {
                await Later.OnAsync(stoppingToken);
            }
        }
    }
}
