namespace AsyncProbe.FaultHost;

/// <summary>
/// Forbids new threads. "starting" forbids them before the first service starts, until <see cref="End"/> starts. "started" forbids them
/// permanently, once the server has started.
/// </summary>
internal sealed class ThreadBan(string when) : IHostedLifecycleService
{
    public Task StartingAsync(CancellationToken cancellationToken) => Act("starting");

    public Task StartedAsync(CancellationToken cancellationToken) => Act("started");

    public Task StartAsync(CancellationToken cancellationToken) => Task.CompletedTask;

    public Task StopAsync(CancellationToken cancellationToken) => Task.CompletedTask;

    public Task StoppingAsync(CancellationToken cancellationToken) => Task.CompletedTask;

    public Task StoppedAsync(CancellationToken cancellationToken) => Task.CompletedTask;

    private async Task Act(string now)
    {
        if (when == now)
        {
            await FillPoolAsync();
            Hog.ForbidThreads();
        }
    }

    // The runtime ends a process whose pool cannot start a worker, so every worker that the pool may have starts before the ban.
    private static async Task FillPoolAsync()
    {
        var workers = Math.Max(4, Environment.ProcessorCount);
        ThreadPool.GetMinThreads(out _, out var io);
        if (!ThreadPool.SetMinThreads(workers, io) || !ThreadPool.SetMaxThreads(workers, io))
        {
            throw new InvalidOperationException("The pool could not be limited.");
        }

        using var all = new Barrier(workers);
        await Task.WhenAll(Enumerable.Range(0, workers).Select(_ => Task.Run(all.SignalAndWait)));
    }

    /// <summary>Ends the ban for services that start.</summary>
    internal sealed class End : IHostedService
    {
        public Task StartAsync(CancellationToken cancellationToken)
        {
            Hog.AllowThreads();
            return Task.CompletedTask;
        }

        public Task StopAsync(CancellationToken cancellationToken) => Task.CompletedTask;
    }
}
