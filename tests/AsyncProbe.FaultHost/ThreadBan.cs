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

    private Task Act(string now)
    {
        if (when == now)
        {
            Hog.ForbidThreads();
        }

        return Task.CompletedTask;
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
