using System.Diagnostics;
using System.Net.Sockets;
using AsyncProbe.Cli.Snapshots;

namespace AsyncProbe.Cli.Server;

/// <summary>
/// A server's report, or its lifeline while the report doesn't answer. After the first answer, it asks only for the history since the last
/// one, because fifteen minutes of history from fifty replicas every second would be most of the work. This class puts the pieces together.
/// </summary>
/// <param name="report">The report's URL.</param>
/// <param name="lifeline">The lifeline's URL; null to take it from the report.</param>
/// <param name="insecure">Whether to accept any certificate.</param>
/// <param name="connect">Opens the connection in another way than by the URL's host; null to use the host.</param>
/// <param name="http2">Whether to ask for the report, but not the lifeline, over HTTP/2.</param>
internal sealed class ServerReport(Uri report, Uri? lifeline, bool insecure, Func<Socket>? connect = null, bool http2 = false) : IDisposable
{
    /// <summary>Request the seconds around the last answer twice rather than miss any.</summary>
    private const int Overlap = 3;

    // A server with a lifeline is asked there if its report hasn't answered by then.
    private static readonly TimeSpan s_reportTimeout = TimeSpan.FromSeconds(1);

    private readonly ReportClient _report = new(report, insecure, connect, http2);
    private readonly MomentHistory _history = new();
    private ReportClient? _lifeline = lifeline is null ? null : new ReportClient(lifeline, insecure);
    private long _lastAnswer;

    /// <summary>Where the report is, after redirects.</summary>
    public Uri Url => _report.Url;

    /// <summary>Whether to list jobs with the requests, because no client's counts are combined with them: both hold threads.</summary>
    public bool ListsOperations { get; init; }

    /// <summary>Reads it on a thread of its own, because the calls are synchronous.</summary>
    public Task<ServerAnswer> ReadAsync(TimeSpan timeout, CancellationToken cancellationToken) =>
        DedicatedThread.RunAsync(() => Read(timeout, cancellationToken));

    /// <summary>Always returns in time, whatever the server sends.</summary>
    /// <param name="timeout">How long to wait, for the lifeline again if there is one.</param>
    /// <param name="mayBeShared">Whether the report may be most of a second old. A server keeps one with a part of the history for that
    /// long, and makes one with all of it for each request.</param>
    public ServerAnswer Read(TimeSpan timeout, CancellationToken cancellationToken, bool mayBeShared = true)
    {
        var reportTimeout = _lifeline is null || timeout < s_reportTimeout ? timeout : s_reportTimeout;
        var (snapshot, status) = _report.Read(reportTimeout, mayBeShared ? HistoryWanted() : null, cancellationToken);
        var isFromLifeline = snapshot is null && _lifeline is not null;
        if (isFromLifeline)
        {
            (snapshot, _) = _lifeline!.Read(timeout, cancellationToken);
        }

        if (snapshot is null)
        {
            return new(null, status, FromLifeline: false, WhyNot(status, reportTimeout));
        }

        _lastAnswer = snapshot.ReceivedAt;
        _lifeline ??= Reachable(snapshot.Lifeline) is { } url ? new ReportClient(url, insecure) : null;
        return new(
            WithHistory(ListsOperations ? snapshot.WithOperationsListed() : snapshot), status, isFromLifeline,
            isFromLifeline ? $"{WhyLifeline(status, reportTimeout)} These figures are from the lifeline at {_lifeline!.Url}." : Url.ToString());
    }

    /// <summary>The answer of a server that said nothing in time, although the read hasn't ended.</summary>
    public ServerAnswer NoAnswer(TimeSpan waited) =>
        new(null, ServerStatus.NoAnswer, FromLifeline: false, WhyNot(ServerStatus.NoAnswer, waited));

    /// <summary>Blocked time by stack: the text, or why there is none. The lifeline has no profile.</summary>
    public Task<(string? Text, string? Problem)> ReadProfileAsync(ProfileFormat format, CancellationToken cancellationToken) =>
        ProfileClient.ReadAsync(Url, format, insecure, cancellationToken);

    public void Dispose()
    {
        _report.Dispose();
        _lifeline?.Dispose();
    }

    private ServerSnapshot WithHistory(ServerSnapshot snapshot) => snapshot with { History = _history.Add(snapshot.History) };

    private string WhyLifeline(ServerStatus status, TimeSpan reportTimeout) => status == ServerStatus.NoAnswer
        ? ReportFailure.Describe(status, Url, reportTimeout, redirect: null)
        : WhyNot(status, reportTimeout);

    private string WhyNot(ServerStatus status, TimeSpan reportTimeout) =>
        ReportFailure.Describe(status, Url, reportTimeout, _lifeline?.Url, _report.RefusedRedirect);

    private int? HistoryWanted() =>
        _lastAnswer == 0 ? null : (int)Math.Ceiling(Stopwatch.GetElapsedTime(_lastAnswer).TotalSeconds) + Overlap;

    /// <summary>
    /// The lifeline listens on loopback, so it can be reached only if the report also came from this machine. A report must not make this
    /// tool connect to any other address.
    /// </summary>
    private Uri? Reachable(string? lifeline) =>
        Uri.TryCreate(lifeline, UriKind.Absolute, out var url) && url.Scheme == Uri.UriSchemeHttp && url.IsLoopback && report.IsLoopback
            ? url
            : null;
}
