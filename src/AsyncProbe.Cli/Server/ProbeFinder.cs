namespace AsyncProbe.Cli.Server;

/// <summary>Asks once, before the load, whether the server has a report.</summary>
internal static class ProbeFinder
{
    private static readonly TimeSpan AnswerTimeout = TimeSpan.FromSeconds(3);

    public static async Task<(ReportPoller? Poller, ServerStatus Status)> FindAsync(
        ProbeChoice choice, Uri target, bool insecure, CancellationToken cancellationToken)
    {
        if (choice.Off)
        {
            return (null, ServerStatus.Off);
        }

        var client = new ReportClient(choice.GetReportUrl(target), insecure);
        // A thread of its own, because the call is synchronous.
        var (snapshot, status) = await Task.Factory.StartNew(
            () => client.Read(AnswerTimeout, cancellationToken), cancellationToken, TaskCreationOptions.LongRunning, TaskScheduler.Default);
        if (snapshot is not null)
        {
            return (new ReportPoller(client, snapshot), status);
        }

        client.Dispose();
        return (null, status);
    }
}
