namespace AsyncProbe.Cli.Server;

/// <summary>Asks once, before the load, whether the server has a report.</summary>
internal static class ProbeFinder
{
    /// <summary>By then a warm server with a free thread has answered, however large its report is.</summary>
    public static TimeSpan Usual { get; } = TimeSpan.FromSeconds(3);

    /// <param name="choice">Where the report is.</param>
    /// <param name="target">The session's first request.</param>
    /// <param name="insecure">Whether any certificate will do.</param>
    /// <param name="slowest">How long to wait if that is more than usual: a cold server still compiles what makes the report.</param>
    /// <param name="onWait">Called when the usual time is over, with the report's URL and the longest time.</param>
    /// <param name="cancellationToken">Gives up earlier.</param>
    public static async Task<(ReportPoller? Poller, ServerStatus Status)> FindAsync(
        ProbeChoice choice, Uri target, bool insecure, TimeSpan slowest, Action<Uri, TimeSpan> onWait,
        CancellationToken cancellationToken)
    {
        if (choice.Off)
        {
            return (null, ServerStatus.Off);
        }

        var longest = slowest > Usual ? slowest : Usual;
        var client = new ReportClient(choice.GetReportUrl(target), insecure);
        // A thread of its own, because the call is synchronous.
        var reading = Task.Factory.StartNew(
            () => client.Read(longest, cancellationToken), cancellationToken, TaskCreationOptions.LongRunning, TaskScheduler.Default);
        if (longest > Usual && await Task.WhenAny(reading, Task.Delay(Usual, cancellationToken)) != reading
            && !cancellationToken.IsCancellationRequested)
        {
            onWait(client.Url, longest);
        }

        var (snapshot, status) = await reading;
        if (snapshot is not null)
        {
            return (new ReportPoller(client, snapshot), status);
        }

        client.Dispose();
        return (null, status);
    }
}
