namespace AsyncProbe.FaultHost;

/// <summary>
/// Forbids new threads. "starting" forbids them before the first service starts, until <see cref="End"/> starts. "started" forbids them
/// permanently, once the server has started and the pool runs the threads without which the runtime ends the process.
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
        if (when != now)
        {
            return;
        }

        if (now == "started")
        {
            await CrowdPoolAsync();
        }

        Hog.ForbidThreads();
    }

    // The pool starts its gate thread when work has to wait for a thread. Work that cannot start it ends the process.
    private static async Task CrowdPoolAsync()
    {
        ThreadPool.GetMinThreads(out var workers, out _);
        using var crowd = new Barrier(workers + 1);
        await Task.WhenAll(Enumerable.Range(0, workers + 1).Select(_ => Task.Run(crowd.SignalAndWait)));
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
