namespace Shop;

/// <summary>Work without requests, on the generic host.</summary>
internal sealed class StockWorker : BackgroundService
{
    private static readonly ManualResetEventSlim s_gate = new();

    public static async Task RunAsync(string[] args)
    {
        var builder = Host.CreateApplicationBuilder(args);
        builder.Logging.ClearProviders();
        builder.Services.AddHostedService<StockWorker>();
        using var host = builder.Build();
        await host.StartAsync();
        Console.WriteLine("Application started");
        await host.WaitForShutdownAsync();
    }

    protected override async Task ExecuteAsync(CancellationToken stoppingToken)
    {
        await Task.Yield();
        s_gate.Wait(stoppingToken); // blocks: StockWorker
    }
}
