using AsyncProbe.Cli.Load;
using AsyncProbe.Cli.Runs;
using AsyncProbe.Cli.Server;
using AsyncProbe.Cli.Statistics;
using AsyncProbe.Cli.Views;

namespace AsyncProbe.Cli.Commands;

/// <summary>Runs sessions in turn, round after round, so that a slow phase of the machine affects them all.</summary>
internal sealed class Rounds(ReportTarget target, ProbeChoice probe, string? serverCommand)
{
    /// <summary>Returns false when interrupted.</summary>
    public async Task<bool> RunAsync(
        IReadOnlyList<PreparedSession> sessions, int rounds, Action<int, RunResult> add, CancellationToken interrupt)
    {
        for (var round = 1; round <= rounds; round++)
        {
            for (var i = 0; i < sessions.Count; i++)
            {
                if (interrupt.IsCancellationRequested)
                {
                    return false;
                }

                var run = await RunOneAsync(sessions[i], interrupt);
                if (run.Interrupted)
                {
                    return false;
                }

                add(i, run);
                await PrintAsync(run, round, rounds);
            }
        }

        return true;
    }

    private async Task<RunResult> RunOneAsync(PreparedSession session, CancellationToken interrupt)
    {
        await using var server = await StartServerAsync(session, interrupt);
        using var observer = target is { Quiet: false, Output.IsInteractive: true }
            ? new LiveScreen(target.Output.MessagesConsole())
            : new RunObserver();
        return await SessionRun.RunAsync(session, probe, observer, interrupt);
    }

    private async Task<ServerProcess?> StartServerAsync(PreparedSession session, CancellationToken interrupt)
    {
        if (serverCommand is null)
        {
            return null;
        }

        ServerProcess? server = null;
        try
        {
            server = await ServerProcess.StartAsync(serverCommand, session.Servers, interrupt);
            await Preflight.CheckAsync(session, interrupt);
            return server;
        }
        catch (ServerStartException e)
        {
            throw new CommandException(ExitCode.NothingMeasured, e.Message);
        }
        catch when (server is not null)
        {
            // Otherwise a server that fails the preflight check would outlive the command.
            await server.DisposeAsync();
            throw;
        }
    }

    private async Task PrintAsync(RunResult run, int round, int rounds)
    {
        if (!target.Quiet)
        {
            await target.Output.Messages.WriteLineAsync(
                $"round {round}/{rounds}  {run.Session}: {FigureText.Rate(run.Total.RequestsPerSecond)}/s, "
                    + $"p95 {FigureText.Ms(run.Total.TimeMs?.P95Ms)} ms, failed {FigureText.Number(run.Total.Failed)}");
        }
    }
}
