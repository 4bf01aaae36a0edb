using AsyncProbe.Cli.Load;
using AsyncProbe.Cli.Results;
using AsyncProbe.Cli.Sessions;
using AsyncProbe.Cli.Views;

namespace AsyncProbe.Cli.Commands;

/// <summary>Runs sessions in turn, round after round, so that a drift of the machine meets all of them.</summary>
internal sealed class Rounds(ReportTarget target, ProbeChoice probe, string? serverCommand)
{
    /// <summary>False when it was interrupted.</summary>
    public async Task<bool> RunAsync(
        IReadOnlyList<Session> sessions, IReadOnlyList<LoadSettings> plans, int rounds, Action<int, RunResult> add, CancellationToken interrupt)
    {
        for (var round = 1; round <= rounds; round++)
        {
            for (var i = 0; i < sessions.Count; i++)
            {
                if (interrupt.IsCancellationRequested)
                {
                    return false;
                }

                var run = await RunOneAsync(sessions[i], plans[i], interrupt);
                if (run.Interrupted)
                {
                    return false;
                }

                add(i, run);
                await TellAsync(run, round, rounds);
            }
        }

        return true;
    }

    private async Task<RunResult> RunOneAsync(Session session, LoadSettings settings, CancellationToken interrupt)
    {
        await using var server = await StartServerAsync(session, settings, interrupt);
        using var observer = target is { Quiet: false, Output.IsInteractive: true } ? new LiveScreen(target.Output.MessagesConsole()) : new RunObserver();
        return await new LoadRun(session, settings, probe, observer).RunAsync(interrupt);
    }

    private async Task<ServerProcess?> StartServerAsync(Session session, LoadSettings settings, CancellationToken interrupt)
    {
        if (serverCommand is null)
        {
            return null;
        }

        var sites = new RequestPreparer(session, settings).PrepareForUsers()[0].Select(request => request.Url).DistinctBy(url => url.Authority).ToList();
        try
        {
            var server = await ServerProcess.StartAsync(serverCommand, sites, interrupt);
            await Preflight.CheckAsync(session, settings, interrupt);
            return server;
        }
        catch (ServerStartException e)
        {
            throw new CommandException(ExitCode.NothingMeasured, e.Message);
        }
    }

    private async Task TellAsync(RunResult run, int round, int rounds)
    {
        if (!target.Quiet)
        {
            await target.Output.Messages.WriteLineAsync(
                $"round {round}/{rounds}  {run.Session}: {Text.Rate(run.Total.RequestsPerSecond)}/s, p95 {Text.Ms(run.Total.TimeMs?.P95Ms)} ms, failed {Text.Number(run.Total.Failed)}");
        }
    }
}
