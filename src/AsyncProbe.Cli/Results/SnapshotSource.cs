namespace AsyncProbe.Cli.Results;

/// <summary>Asks the report, and the lifeline when the report does not answer; says which of them spoke.</summary>
internal sealed class SnapshotSource(Uri report, Uri? lifeline, bool insecure, TimeSpan patience) : IDisposable
{
    private readonly ProbeClient _report = new(report, insecure);
    private readonly ProbeClient? _lifeline = lifeline is null ? null : new ProbeClient(lifeline, insecure);

    /// <summary>The snapshot and a line about where it is from; without a snapshot, a sentence about why.</summary>
    public Task<(ServerSnapshot? Snapshot, string Where)> AskAsync(CancellationToken cancellationToken) =>
        // A thread of its own, because the calls are synchronous.
        Task.Factory.StartNew(() => Ask(cancellationToken), CancellationToken.None, TaskCreationOptions.LongRunning, TaskScheduler.Default);

    public void Dispose()
    {
        _report.Dispose();
        _lifeline?.Dispose();
    }

    private (ServerSnapshot? Snapshot, string Where) Ask(CancellationToken cancellationToken)
    {
        var (snapshot, status) = _report.Ask(patience, cancellationToken);
        if (snapshot is not null)
        {
            return (snapshot, _report.Url.ToString());
        }

        if (_lifeline?.Ask(patience, cancellationToken).Snapshot is { } saved)
        {
            return (saved, $"{_report.Url} did not answer; this is from the lifeline at {_lifeline.Url}: the pool has no thread to answer with.");
        }

        return (null, status switch
        {
            ServerStatus.Unreachable => $"Nothing can be reached at {_report.Url.GetLeftPart(UriPartial.Authority)}: is the server running?",
            ServerStatus.NotThere => $"{_report.Url} answers 404. {Views.ServerText.WhatToDo} If it is elsewhere, name its URL.",
            ServerStatus.Reset => $"{_report.Url} closed the connection in the middle of its answer: the server ended, or something between here and it did.",
            ServerStatus.Refused or ServerStatus.Unreadable => $"What answers at {_report.Url} is no AsyncProbe report: name the report's URL (MapAsyncProbe says which; /_threadpool by default).",
            _ when _lifeline is not null => $"{_report.Url} did not answer within {patience.TotalSeconds} s, nor did the lifeline at {_lifeline.Url}: is the option LifelinePort set?",
            _ => $"{_report.Url} did not answer within {patience.TotalSeconds} s: its pool has no thread to answer with. With the option LifelinePort and --lifeline PORT it can be looked at even then.",
        });
    }
}
