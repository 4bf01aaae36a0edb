using System.Diagnostics;
using AsyncProbe.Cli.Joining;
using AsyncProbe.Cli.Server;
using AsyncProbe.Cli.Sessions;

namespace AsyncProbe.Cli.Observation;

/// <summary>One replica, polled once a second from its own thread, so that a silent replica doesn't delay the others.</summary>
internal sealed class ObservedReplica : IDisposable
{
    private static readonly TimeSpan s_usualTimeout = TimeSpan.FromSeconds(3);

    /// <summary>A probe that was just attached has to compile everything that its first report needs.</summary>
    private static readonly TimeSpan s_timeoutOfAttached = TimeSpan.FromSeconds(30);

    private readonly ServerReport? _report;
    private readonly TimeSpan _firstTimeout;
    private ReportPoller? _poller;
    private ServerStatus _status = ServerStatus.NoAnswer;
    private string? _problem;
    private bool _isAttached;
    private bool _isStarted;

    private ObservedReplica(string name, ServerReport? report, TimeSpan firstTimeout) =>
        (Name, _report, _firstTimeout) = (name, report, firstTimeout);

    public string Name { get; }

    /// <param name="typed">The URL of a server or of its report.</param>
    /// <param name="lifeline">Its lifeline's port on this machine; null to take it from the report.</param>
    /// <param name="insecure">Whether to accept any certificate.</param>
    public static ObservedReplica Create(string typed, int? lifeline, bool insecure)
    {
        if (SessionFile.IsUrl(typed) && Uri.TryCreate(typed, UriKind.Absolute, out var url))
        {
            var report = url.AbsolutePath == "/" ? new Uri(url, ProbeChoice.DefaultPath) : url;
            return new(
                SafeText.From(url.AbsolutePath is "/" or ProbeChoice.DefaultPath ? url.Authority : url.Authority + url.AbsolutePath),
                new ServerReport(report, lifeline is { } port ? new Uri($"http://127.0.0.1:{port}/") : null, insecure)
                {
                    ListsOperations = true,
                },
                s_usualTimeout);
        }

        return new(SafeText.From(typed), report: null, s_usualTimeout)
        {
            _status = ServerStatus.Unreadable,
            _problem = $"\"{typed}\" is not a URL; write it like http://127.0.0.1:5080.",
        };
    }

    /// <summary>Creates a replica for a process that a probe was attached to.</summary>
    /// <param name="name">Its display name.</param>
    /// <param name="isStarted">Whether this tool started the process, so that everything in its report counts.</param>
    public static ObservedReplica CreateAttached(string name, ServerReport report, bool isStarted) =>
        new(SafeText.From(name), report, s_timeoutOfAttached) { _isAttached = true, _isStarted = isStarted };

    /// <summary>Asks for the first report, and gives up in time whatever hangs, including a name lookup.</summary>
    public async Task FindAsync(CancellationToken cancellationToken)
    {
        if (_report is null)
        {
            return;
        }

        var first = _report.ReadAsync(_firstTimeout, cancellationToken);
        await Task.WhenAny(first, Task.Delay(_firstTimeout + TimeSpan.FromSeconds(1), CancellationToken.None));
        var answer = first.IsCompleted ? await first : _report.NoAnswer(_firstTimeout);
        _status = answer.Status;
        if (answer.Snapshot is not { } snapshot)
        {
            _problem = _isAttached ? $"The probe in {Name} did not answer within {_firstTimeout.TotalSeconds} s." : answer.Sentence;
            return;
        }

        _poller = new ReportPoller(_report, snapshot) { IsServerStarted = _isStarted };
    }

    public void BeginAt(long began) => _poller?.BeginAt(began);

    public Task EndAsync() => _poller?.EndAsync(waitForAnswer: false) ?? Task.CompletedTask;

    /// <summary>What the replica did since <paramref name="began"/>, up to its last answer.</summary>
    public ReplicaSide Describe(long began)
    {
        if (_poller is not { } poller)
        {
            return new()
            {
                Name = Name,
                Problem = SafeText.From(_problem ?? ""),
                Server = ServerSide.Without(_status, _report?.Url.ToString()),
            };
        }

        var server = ServerJoin.Build(poller, began);
        return new()
        {
            Name = Name,
            Seconds = Math.Round(Seconds(poller), 3),
            Requests = server.Endpoints.Sum(row => row.Requests),
            LifelineAnswers = poller.Polls.FromLifeline,
            Server = server,
        };
    }

    public void Dispose()
    {
        _poller?.Dispose();
        _report?.Dispose();
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
