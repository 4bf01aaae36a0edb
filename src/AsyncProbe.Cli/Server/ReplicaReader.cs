using System.Net.Sockets;

namespace AsyncProbe.Cli.Server;

/// <summary>
/// Reads one replica of many: its report, or its lifeline while the report does not answer. Each time only the history since the last
/// answer is asked for, because fifteen minutes of it from fifty replicas every second would be most of the work; here it is put together
/// again.
/// </summary>
/// <param name="report">The report's URL.</param>
/// <param name="lifeline">The lifeline's; null where only the report itself can tell.</param>
/// <param name="insecure">Whether any certificate will do.</param>
/// <param name="connect">Another way to the report than by its URL's host; null for that.</param>
internal sealed class ReplicaReader(Uri report, Uri? lifeline, bool insecure, Func<Socket>? connect = null) : IReportReader
{
    /// <summary>Of a replica that has a lifeline: what has not answered by then is asked there.</summary>
    private static readonly TimeSpan s_reportTimeout = TimeSpan.FromSeconds(1);

    /// <summary>The seconds around the last answer come twice rather than never.</summary>
    private const int Overlap = 3;

    private readonly ReportClient _report = new(report, insecure, connect);
    private readonly MomentHistory _history = new();
    private ReportClient? _lifeline = lifeline is null ? null : new ReportClient(lifeline, insecure);
    private long _lastAnswer;

    public Uri Url => report;

    /// <summary>Where its server redirected to, when that was not followed.</summary>
    public Uri? RefusedRedirect => _report.RefusedRedirect;

    /// <summary>Where it is asked when the report does not answer; null when nobody knows of a lifeline.</summary>
    public Uri? Lifeline => _lifeline?.Url;

    /// <summary>How often only the lifeline answered.</summary>
    public int LifelineAnswers { get; private set; }

    public (ServerSnapshot? Snapshot, ServerStatus Status) Read(TimeSpan timeout, CancellationToken cancellationToken)
    {
        var (snapshot, status) = _report.Read(
            _lifeline is null || timeout < s_reportTimeout ? timeout : s_reportTimeout, HistoryWanted(), cancellationToken);
        if (snapshot is null && _lifeline?.Read(timeout, cancellationToken) is { Snapshot: { } fromLifeline })
        {
            LifelineAnswers++;
            (snapshot, status) = (fromLifeline, ServerStatus.Joined);
        }

        if (snapshot is null)
        {
            return (null, status);
        }

        _lastAnswer = snapshot.ReceivedAt;
        _lifeline ??= Reachable(snapshot.Lifeline) is { } url ? new ReportClient(url, insecure) : null;
        // No client's counts are laid beside these, so jobs stand with the requests: both hold threads.
        return (snapshot with { History = _history.Add(snapshot.History), Endpoints = [.. snapshot.Endpoints, .. snapshot.Operations],
            Operations = [] }, status);
    }

    public void Dispose()
    {
        _report.Dispose();
        _lifeline?.Dispose();
    }

    private int HistoryWanted() =>
        _lastAnswer == 0 ? Overlap : (int)Math.Ceiling(System.Diagnostics.Stopwatch.GetElapsedTime(_lastAnswer).TotalSeconds) + Overlap;

    /// <summary>
    /// The lifeline listens on loopback; a report may not send this tool to another machine than the one it was asked of.
    /// </summary>
    private Uri? Reachable(string? lifeline) =>
        Uri.TryCreate(lifeline, UriKind.Absolute, out var url) && url.Scheme == Uri.UriSchemeHttp && url.IsLoopback && report.IsLoopback
            ? url
            : null;
}
