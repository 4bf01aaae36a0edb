using AsyncProbe.Cli.Results;

namespace AsyncProbe.Cli.Load;

/// <summary>Asks once, before the load, whether the server has a report.</summary>
internal static class ProbeFinder
{
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(3);

    public static async Task<(ServerPoller? Poller, ServerStatus Status)> FindAsync(
        ProbeChoice choice, Uri target, LoadSettings settings, CancellationToken cancellationToken)
    {
        if (choice.Off)
        {
            return (null, ServerStatus.Off);
        }

        var client = new ProbeClient(choice.For(target), settings.Insecure);
        // A thread of its own, because the call is synchronous.
        var (snapshot, status) = await Task.Factory.StartNew(
            () => client.Ask(Patience, cancellationToken), cancellationToken, TaskCreationOptions.LongRunning, TaskScheduler.Default);
        if (snapshot is not null)
        {
            return (new ServerPoller(client, snapshot), status);
        }

        client.Dispose();
        return (null, status);
    }
}
