using System.CommandLine;
using AsyncProbe.Cli.Comparison;
using AsyncProbe.Cli.Runs;
using AsyncProbe.Cli.Thresholds;

namespace AsyncProbe.Cli.Commands;

/// <summary><c>run</c>: runs one session and reports the client and server side together.</summary>
internal static class RunCommand
{
    public static Command Create(Output output)
    {
        var source = new Argument<string>("session")
        {
            HelpName = "session.websurge | url",
            Description = "A session file (.websurge, or a document that import reads), or a URL to GET.",
        };
        var differences = new Option<bool>("--differences")
        {
            Description = "Also say what WebSurge would do differently with this session.",
        };
        var options = new RunOptions();
        var baseline = new BaselineOption();
        var report = new ReportOptions();
        var command = new Command("run", "Run one session; client and server side in one report.") { source, differences };
        options.AddTo(command);
        baseline.AddTo(command);
        report.AddTo(command);
        command.SetAction((parsed, cancellationToken) =>
        {
            var target = report.Target(parsed, output) with { Differences = parsed.GetValue(differences) };
            return RunAsync(parsed.GetRequiredValue(source), parsed, options, baseline, target, cancellationToken);
        });
        return command;
    }

    private static async Task<int> RunAsync(
        string source, ParseResult parsed, RunOptions options, BaselineOption baselineOption, ReportTarget target,
        CancellationToken interrupt)
    {
        var thresholds = options.Thresholds(parsed);
        var rates = options.Rates(parsed);
        var probe = options.Probe(parsed);
        var baseline = await baselineOption.ReadAsync(parsed, thresholds, interrupt);
        double? first = rates.Length == 0 ? null : rates[0];
        var session = await SessionLoader.LoadAsync(
            source, options.Import(parsed), file => options.Settings(parsed, file, first), target, interrupt);
        ThresholdNames.Check(thresholds, session.RequestNames);
        await Preflight.CheckAsync(session, interrupt);

        var runs = new List<RunResult>();
        foreach (var rate in rates.Length == 0 ? [null] : rates.Cast<double?>())
        {
            using var observer = Observers.Create(target);
            var run = await SessionRun.RunAsync(session.AtRate(rate), probe, observer, interrupt);
            runs.Add(ThresholdJudge.Judge(run with { Server = baseline?.Apply(run.Server) ?? run.Server }, thresholds));
            if (run.Interrupted)
            {
                break;
            }
        }

        await (rates.Length <= 1 ? target.WriteAsync(runs[0]) : target.WriteAsync(SweepResult.From(runs)));
        return await ExitDecision.ExplainAsync(runs, target.Output.Messages);
    }
}
