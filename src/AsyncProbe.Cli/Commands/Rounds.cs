using AsyncProbe.Cli.Load;
using AsyncProbe.Cli.Options;
using AsyncProbe.Cli.Outcomes;
using AsyncProbe.Cli.Runs;
using AsyncProbe.Cli.Server;
using AsyncProbe.Cli.Statistics;

namespace AsyncProbe.Cli.Commands;

/// <summary>Runs sessions in turn, round after round, so that a slow phase of the machine affects them all.</summary>
internal sealed class Rounds(ReportTarget target, ProbeChoice probe, IReadOnlyList<ServerChoice> servers)
{
    public async Task<RoundsEnd> RunAsync(
        IReadOnlyList<PreparedSession> sessions, int rounds, Action<int, RunResult> add, CancellationToken interrupt)
    {
        for (var round = 1; round <= rounds; round++)
        {
            for (var i = 0; i < sessions.Count; i++)
            {
                try
                {
                    interrupt.ThrowIfCancellationRequested();
                    var run = await RunOneAsync(sessions[i], Server(i), interrupt);
                    if (run.Interrupted)
                    {
                        return RoundsEnd.Interrupted;
                    }

                    add(i, run);
                    await PrintAsync(run, round, rounds);
                }
                catch (OperationCanceledException) when (interrupt.IsCancellationRequested)
                {
                    return RoundsEnd.Interrupted;
                }
                catch (Exception e) when (round > 1 && e is CommandException or ProcessException)
                {
                    // Every session has run, so there is something to compare.
                    return RoundsEnd.Failed((e as CommandException)?.ExitCode ?? ExitCode.NothingMeasured, e.Message);
                }
            }
        }

        return RoundsEnd.Complete;
    }

    // One for all sessions, or one for each.
    private ServerChoice? Server(int session) => servers.Count == 0 ? null : servers[Math.Min(session, servers.Count - 1)];

    private async Task<RunResult> RunOneAsync(PreparedSession session, ServerChoice? choice, CancellationToken interrupt)
    {
        await using var server = await RunServer.BeginAsync(choice, session, probe, target.Output.Messages, interrupt);
        using var observer = Observers.Create(target, isOneOfMany: true);
        return await SessionRun.RunAsync(session, server.Probe, observer, interrupt);
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
