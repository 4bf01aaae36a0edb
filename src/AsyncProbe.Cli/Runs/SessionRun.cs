using AsyncProbe.Cli.Load;
using AsyncProbe.Cli.Server;

namespace AsyncProbe.Cli.Runs;

/// <summary>
/// One run of a session in three steps: <see cref="BeginAsync"/> finds the server's report, <see cref="AttributeAsync"/> sends the load and
/// attributes the server's counts to it, and <see cref="End"/> calculates the final figures.
/// </summary>
internal sealed class SessionRun : IDisposable
{
    private readonly PreparedSession _prepared;
    private readonly IRunObserver _observer;
    private readonly ReportPoller? _poller;
    private readonly ServerSide _withoutReport;
    private readonly string? _title;
    private (LoadFacts Facts, ServerSide Server)? _attributed;

    private SessionRun(PreparedSession prepared, IRunObserver observer, ReportPoller? poller, ServerSide withoutReport, string? title)
    {
        (_prepared, _observer, _poller, _withoutReport, _title) = (prepared, observer, poller, withoutReport, title);
    }

    public static async Task<RunResult> RunAsync(
        PreparedSession prepared, ProbeChoice probe, IRunObserver observer, CancellationToken interrupt)
    {
        using var run = await BeginAsync(prepared, probe, observer, interrupt);
        await run.AttributeAsync(interrupt);
        return run.End();
    }

    public static async Task<SessionRun> BeginAsync(
        PreparedSession prepared, ProbeChoice probe, IRunObserver observer, CancellationToken interrupt)
    {
        var target = prepared.Requests[0].Url;
        var (poller, status, url) = await ProbeFinder.FindAsync(
            probe, target, prepared.Settings.Insecure, prepared.Settings.Timeout, observer.WaitForReport, interrupt);

        // The certificate is that of the host to which the report's address redirects.
        var place = status == ServerStatus.Untrusted ? url?.ToString() : probe.Describe(target);
        return new SessionRun(prepared, observer, poller, ServerSide.Without(status, place), probe.Title);
    }

    public async Task AttributeAsync(CancellationToken interrupt)
    {
        var facts = await new LoadRun(_prepared, _poller, _observer).RunAsync(interrupt);
        if (_poller is null)
        {
            _attributed = (facts, _withoutReport);
            return;
        }

        await _poller.EndAsync(waitForAnswer: !interrupt.IsCancellationRequested);
        _attributed = (facts, ServerAttribution.Attribute(Named(ServerJoin.Build(_poller, facts.Began)), facts));
    }

    public RunResult End() => _attributed is var (facts, server)
        ? ResultBuilder.Build(facts, server)
        : throw new InvalidOperationException("Nothing was measured yet: call AttributeAsync first.");

    public void Dispose() => _poller?.Dispose();

    private ServerSide Named(ServerSide server) => _title is null ? server : server with { Url = _title };
}
