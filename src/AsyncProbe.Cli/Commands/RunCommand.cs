using System.CommandLine;
using AsyncProbe.Cli.Load;
using AsyncProbe.Cli.Results;

namespace AsyncProbe.Cli.Commands;

/// <summary><c>run</c>: one session, client and server side in one report.</summary>
internal static class RunCommand
{
    public static Command Create(Output output)
    {
        var source = new Argument<string>("session") { HelpName = "session.websurge | url", Description = "A session file, or a URL to GET." };
        var options = new RunOptions();
        var report = new ReportOptions();
        var command = new Command("run", "Run one session; client and server side in one report.") { source };
        options.AddTo(command);
        report.AddTo(command);
        command.SetAction((parsed, cancellationToken) =>
            RunAsync(parsed.GetRequiredValue(source), parsed, options, report.Target(parsed, output), cancellationToken));
        return command;
    }

    private static async Task<int> RunAsync(
        string source, ParseResult parsed, RunOptions options, ReportTarget target, CancellationToken interrupt)
    {
        var thresholds = options.Thresholds(parsed);
        var rates = options.Rates(parsed);
        var probe = options.Probe(parsed);
        var session = await RunnableSession.LoadAsync(source, options.AllowedEnvironment(parsed), target, interrupt);
        var plans = (rates.Length == 0 ? [null] : rates.Cast<double?>())
            .Select(rate => options.Settings(parsed, session.Options, rate)).ToList();
        await Preflight.CheckAsync(session, plans[0], interrupt);

        var runs = new List<RunResult>();
        foreach (var settings in plans)
        {
            using var observer = Observers.Create(target);
            var run = await new LoadRun(session, settings, probe, observer).RunAsync(interrupt);
            runs.Add(ThresholdJudge.Judge(run, thresholds));
            if (run.Interrupted)
            {
                break;
            }
        }

        await (plans.Count == 1 ? target.WriteAsync(runs[0]) : target.WriteAsync(SweepResult.Of(runs)));
        return await Verdicts.ExplainAsync(runs, target.Output.Messages);
    }
}
