using System.Net.Sockets;

namespace AsyncProbe.Cli.Server;

/// <summary>
/// Reads one replica of many: its report, or its lifeline while the report doesn't answer. Each poll asks only for the history since the
/// last answer, because fifteen minutes of history from fifty replicas every second would be most of the work. This class puts the pieces
/// together.
/// </summary>
/// <param name="report">The report's URL.</param>
/// <param name="lifeline">The lifeline's URL; null to take it from the report.</param>
/// <param name="insecure">Whether to accept any certificate.</param>
/// <param name="connect">Opens the connection in another way than by the URL's host; null to use the host.</param>
internal sealed class ReplicaReader(Uri report, Uri? lifeline, bool insecure, Func<Socket>? connect = null) : IReportReader
{
    /// <summary>A replica with a lifeline is asked there if its report hasn't answered by then.</summary>
    private static readonly TimeSpan s_reportTimeout = TimeSpan.FromSeconds(1);

    /// <summary>Request the seconds around the last answer twice rather than miss any.</summary>
    private const int Overlap = 3;

    private readonly ReportClient _report = new(report, insecure, connect);
    private readonly MomentHistory _history = new();
    private ReportClient? _lifeline = lifeline is null ? null : new ReportClient(lifeline, insecure);
    private long _lastAnswer;

    /// <summary>Where the report is, after redirects.</summary>
    public Uri Url => _report.Url;

    /// <summary>Where the server redirected to, if that redirect wasn't followed.</summary>
    public Uri? RefusedRedirect => _report.RefusedRedirect;

    /// <summary>Where to ask when the report doesn't answer; null when no lifeline is known.</summary>
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
        // These counts aren't combined with a client's, so jobs are listed with the requests: both hold threads.
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
    /// The lifeline listens on loopback, so it can be reached only if the report also came from this machine. A report must not make this
    /// tool connect to any other address.
    /// </summary>
    private Uri? Reachable(string? lifeline) =>
        Uri.TryCreate(lifeline, UriKind.Absolute, out var url) && url.Scheme == Uri.UriSchemeHttp && url.IsLoopback && report.IsLoopback
            ? url
            : null;
}
