namespace AsyncProbe.Cli.Server;

/// <summary>Asks once, before the load, whether the server has a report.</summary>
internal static class ProbeFinder
{
    /// <summary>A warm server with a free thread has answered by then, however large its report is.</summary>
    public static TimeSpan Usual { get; } = TimeSpan.FromSeconds(3);

    /// <param name="choice">Where the report is.</param>
    /// <param name="target">The session's first request.</param>
    /// <param name="insecure">Whether to accept any certificate.</param>
    /// <param name="slowest">How long to wait if that is longer than usual: a cold server still has to compile the code for the
    /// report.</param>
    /// <param name="onWait">Called when the usual time is over, with the report's URL and the longest time.</param>
    /// <returns>Also where the report is, after redirects; null if it was not asked.</returns>
    public static async Task<(ReportPoller? Poller, ServerStatus Status, Uri? Url)> FindAsync(
        ProbeChoice choice, Uri target, bool insecure, TimeSpan slowest, Action<Uri, TimeSpan> onWait,
        CancellationToken cancellationToken)
    {
        if (choice.Off)
        {
            return (null, ServerStatus.Off, null);
        }

        var longest = slowest > Usual ? slowest : Usual;
        var report = new ServerReport(choice.GetReportUrl(target), lifeline: null, insecure, choice.Connect);
        var reading = report.ReadAsync(longest, cancellationToken);
        if (longest > Usual && await Task.WhenAny(reading, Task.Delay(Usual, cancellationToken)) != reading
            && !cancellationToken.IsCancellationRequested)
        {
            onWait(report.Url, longest);
        }

        var answer = await reading;
        if (answer.Snapshot is { } snapshot)
        {
            return (new ReportPoller(report, snapshot), answer.Status, report.Url);
        }

        report.Dispose();
        return (null, answer.Status, report.Url);
    }
}
