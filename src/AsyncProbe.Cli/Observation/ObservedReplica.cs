using System.Diagnostics;
using AsyncProbe.Cli.Joining;
using AsyncProbe.Cli.Processes;
using AsyncProbe.Cli.Server;
using AsyncProbe.Cli.Sessions;

namespace AsyncProbe.Cli.Observation;

/// <summary>One replica, polled once a second from its own thread, so that a silent replica doesn't delay the others.</summary>
internal sealed class ObservedReplica : IDisposable
{
    /// <summary>A probe that was just attached has to compile everything that its first report needs.</summary>
    private static readonly TimeSpan s_timeoutOfAttached = TimeSpan.FromSeconds(30);

    private readonly string _name;
    private readonly ReportPoller? _poller;

    /// <summary>The replica without figures; null when it is polled.</summary>
    private readonly ReplicaSide? _missing;

    private ObservedReplica(string name, ReportPoller poller) => (_name, _poller) = (SafeText.From(name), poller);

    private ObservedReplica(string name, ServerStatus status, string problem, Uri? url)
    {
        _name = SafeText.From(name);
        _missing = new()
        {
            Name = _name,
            Problem = SafeText.From(problem),
            Server = ServerSide.Without(status, url?.ToString()),
        };
    }

    /// <summary>Asks for the first report.</summary>
    /// <param name="typed">The URL of a server or of its report.</param>
    /// <param name="lifeline">Its lifeline's port on this machine; null to take it from the report.</param>
    /// <param name="insecure">Whether to accept any certificate.</param>
    public static async Task<ObservedReplica> FindAsync(string typed, int? lifeline, bool insecure, CancellationToken cancellationToken)
    {
        if (!SessionFile.IsUrl(typed) || !Uri.TryCreate(typed, UriKind.Absolute, out var url))
        {
            return new(typed, ServerStatus.Unreadable, $"\"{typed}\" is not a URL; write it like http://127.0.0.1:5080.", url: null);
        }

        var name = url.AbsolutePath is "/" or ProbeChoice.DefaultPath ? url.Authority : url.Authority + url.AbsolutePath;
        var report = new ServerReport(
            url.AbsolutePath == "/" ? new Uri(url, ProbeChoice.DefaultPath) : url,
            lifeline is { } port ? new Uri($"http://127.0.0.1:{port}/") : null, insecure)
        {
            ListsOperations = true,
        };
        var (poller, answer) = await ReportPoller.FindAsync(report, ReportPoller.Usual, cancellationToken);
        return poller is null ? new(name, answer.Status, answer.Sentence, report.Url) : new(name, poller);
    }

    /// <summary>Asks a probe that was attached for its first report.</summary>
    /// <param name="attached">The process.</param>
    /// <param name="isStarted">Whether this tool started the process, so that everything in its report counts.</param>
    public static async Task<ObservedReplica> FindAsync(AttachedProcess attached, bool isStarted, CancellationToken cancellationToken)
    {
        var name = attached.Process.Title;
        var probe = ProbeChoice.Attached(attached.Socket.Connect, name);
        var report = new ServerReport(probe.Url!, lifeline: null, insecure: false, probe.Connect) { ListsOperations = true };
        var (poller, answer) = await ReportPoller.FindAsync(
            report, s_timeoutOfAttached, cancellationToken, isServerStarted: isStarted);
        return poller is null
            ? new(name, answer.Status, $"The probe in {name} did not answer within {s_timeoutOfAttached.TotalSeconds} s.", report.Url)
            : new(name, poller);
    }

    public void BeginAt(long began) => _poller?.BeginAt(began);

    public Task EndAsync() => _poller?.EndAsync(waitForAnswer: false) ?? Task.CompletedTask;

    /// <summary>What the replica did since <paramref name="began"/>, up to its last answer.</summary>
    public ReplicaSide Describe(long began) => _poller is null ? _missing! : Describe(_poller, began);

    public void Dispose() => _poller?.Dispose();

    private ReplicaSide Describe(ReportPoller poller, long began)
    {
        var server = ServerJoin.Build(poller, began);
        return new()
        {
            Name = _name,
            Seconds = Math.Round(Seconds(poller), 3),
            Requests = server.Endpoints.Sum(row => row.Requests),
            LifelineAnswers = poller.Polls.FromLifeline,
            Server = server,
        };
    }

    /// <summary>The time between the two answers by the server's own clock, so that a late answer doesn't change a rate.</summary>
    private static double Seconds(ReportPoller poller)
    {
        var (begin, end) = (poller.Begin, poller.End);
        if ((begin.StartedAt != end.StartedAt || poller.IsServerStarted) && end.UptimeMs is { } uptime)
        {
            return uptime / 1000;
        }

        return (end.ServerTime - begin.ServerTime)?.TotalSeconds ?? Stopwatch.GetElapsedTime(begin.ReceivedAt, end.ReceivedAt).TotalSeconds;
    }
}
