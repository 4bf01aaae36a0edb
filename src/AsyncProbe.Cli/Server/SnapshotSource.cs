namespace AsyncProbe.Cli.Server;

/// <summary>Reads the report, or the lifeline when the report does not answer.</summary>
internal sealed class SnapshotSource(Uri report, Uri? lifeline, bool insecure, TimeSpan timeout) : IDisposable
{
    private readonly ReportClient _report = new(report, insecure);
    private readonly ReportClient? _lifeline = lifeline is null ? null : new ReportClient(lifeline, insecure);

    public Uri Url => _report.Url;

    public Task<SnapshotAnswer> ReadAsync(CancellationToken cancellationToken) =>
        // The calls are synchronous, so they get a dedicated thread.
        Task.Factory.StartNew(
            () => Read(cancellationToken), CancellationToken.None, TaskCreationOptions.LongRunning, TaskScheduler.Default);

    /// <summary>Blocked time by stack: the text, or why there is none. The lifeline has no profile.</summary>
    public Task<(string? Text, string? Problem)> ReadProfileAsync(ProfileFormat format, CancellationToken cancellationToken) =>
        ProfileClient.ReadAsync(_report.Url, format, insecure, cancellationToken);

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

        return new(null, FromLifeline: false, WhyNot(status), status == ServerStatus.Untrusted);
    }

    private string WhyNot(ServerStatus status) =>
        ReportFailure.Describe(status, _report.Url, timeout, _lifeline?.Url, _report.RefusedRedirect);
}
