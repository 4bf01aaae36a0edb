namespace AsyncProbe.Cli.Server;

/// <summary>Reads the report, or the lifeline when the report does not answer.</summary>
internal sealed class SnapshotSource(Uri report, Uri? lifeline, bool insecure, TimeSpan timeout) : IDisposable
{
    /// <summary>What makes a report answer instead of 404.</summary>
    public const string HowToOpenReport =
        "Map the report with app.MapAsyncProbe(). Outside Development it answers 404 until the app says who may look: set AllowLocal (for callers on the "
        + "server's own machine), ManagementPort, or authorization. A line in its log at start says how.";

    private readonly ReportClient _report = new(report, insecure);
    private readonly ReportClient? _lifeline = lifeline is null ? null : new ReportClient(lifeline, insecure);

    public Task<SnapshotAnswer> ReadAsync(CancellationToken cancellationToken) =>
        // The calls are synchronous, so they get a thread of their own.
        Task.Factory.StartNew(() => Read(cancellationToken), CancellationToken.None, TaskCreationOptions.LongRunning, TaskScheduler.Default);

    public void Dispose()
    {
        _report.Dispose();
        _lifeline?.Dispose();
    }

    private SnapshotAnswer Read(CancellationToken cancellationToken)
    {
        var (snapshot, status) = _report.Read(timeout, cancellationToken);
        if (snapshot is not null)
        {
            return new(snapshot, FromLifeline: false, _report.Url.ToString());
        }

        if (_lifeline?.Read(timeout, cancellationToken).Snapshot is { } fromLifeline)
        {
            var why = status == ServerStatus.NoAnswer
                ? $"{_report.Url} did not answer within {timeout.TotalSeconds} s; its pool may have no free thread."
                : WhyNot(status);
            return new(fromLifeline, FromLifeline: true, $"{why} These figures are from the lifeline at {_lifeline.Url}.");
        }

        return new(null, FromLifeline: false, WhyNot(status));
    }

    private string WhyNot(ServerStatus status) => status switch
    {
        ServerStatus.Unreachable => $"Nothing can be reached at {_report.Url.GetLeftPart(UriPartial.Authority)}: is the server running?",
        ServerStatus.NotThere => $"{_report.Url} answers 404. {HowToOpenReport} If it is elsewhere, give its URL.",
        ServerStatus.Reset => $"{_report.Url} closed the connection in the middle of its answer: the server ended, or a proxy in between closed it.",
        ServerStatus.Refused or ServerStatus.Unreadable => $"The answer of {_report.Url} is not an AsyncProbe report: give the report's URL (the one in MapAsyncProbe, by default /_threadpool).",
        _ when _lifeline is not null => $"Neither {_report.Url} nor the lifeline at {_lifeline.Url} answered within {timeout.TotalSeconds} s: is the option LifelinePort set?",
        _ => $"{_report.Url} did not answer within {timeout.TotalSeconds} s; its pool may have no free thread. With the option LifelinePort on the server and --lifeline PORT here, you can look at it even then.",
    };
}
