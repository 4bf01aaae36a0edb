using System.CommandLine;
using AsyncProbe.Cli.Joining;
using AsyncProbe.Cli.Observation;
using AsyncProbe.Cli.Options;
using AsyncProbe.Cli.Outcomes;
using AsyncProbe.Cli.Server;
using AsyncProbe.Cli.Thresholds;
using AsyncProbe.Cli.Views;

namespace AsyncProbe.Cli.Commands;

/// <summary><c>report</c>: reads the server's current state once and writes it as text and files.</summary>
internal static class ReportCommand
{
    /// <summary>Long, because a starved server answers late, and that is when its operator needs the answer most.</summary>
    private static readonly TimeSpan AnswerTimeout = TimeSpan.FromSeconds(20);

    public static Command Create(Output output)
    {
        var options = new TargetOptions();
        var thresholds = new ThresholdOption(
            $"Only for new call sites: '{ThresholdMetrics.NewSites}==0'. Repeatable.",
            threshold => threshold.Metric == ThresholdMetrics.NewSites ? null
                : $"The threshold \"{threshold.Expression}\" is about a run, and report sees one moment only. It takes "
                    + $"{ThresholdMetrics.NewSites}; run and observe take the others.");
        var baselineOption = new BaselineOption();
        var files = new StateFiles();
        var findingOptions = new FindingOptions();
        var noColor = CommonOptions.NoColor();
        var command = new Command("report", "Print the server's current state once, as text.") { thresholds };
        options.AddTo(command);
        baselineOption.AddTo(command);
        files.AddTo(command);
        findingOptions.AddTo(command);
        command.Options.Add(noColor);
        command.SetAction(async (parsed, interrupt) =>
        {
            output.NoColor |= parsed.GetValue(noColor);
            var names = files.Check(parsed);
            var target = findingOptions.Target(parsed);
            var judged = thresholds.Read(parsed);
            var baseline = await baselineOption.ReadAsync(parsed, judged, interrupt);
            using var report = options.Report(parsed);
            var answer = await report.ReadAsync(AnswerTimeout, interrupt);
            if (answer.Snapshot is not { } snapshot)
            {
                throw new CommandException(ExitCode.NothingMeasured, answer.Sentence);
            }

            var known = KnownSites.Find(begin: null, snapshot);
            var server = ServerSide.Without(ServerStatus.Joined, report.Url.ToString()) with
            {
                KnownSites = known,
                NewSites = baseline?.FindNew(known),
            };
            var state = Judge(server, judged);
            var console = output.ResultsConsole();
            console.Line(answer.Sentence);
            StateReport.Write(snapshot, console);
            StateReport.Write(state, console);
            var findings = target.Annotate || names.Any(ResultFile.IsSarif) ? target.Find([server], output.Messages) : [];
            if (target.Annotate)
            {
                FindingTarget.Print(findings, output.Results);
            }

            await StateFiles.WriteAsync(names, state, findings, report, interrupt);
            return await output.ExplainAsync(ExitDecision.Decide(state));
        });
        return command;
    }

    private static StateResult Judge(ServerSide server, IReadOnlyList<Threshold> thresholds) => new()
    {
        Url = server.Url!,
        At = DateTimeOffset.UtcNow,
        KnownSites = server.KnownSites,
        NewSites = server.NewSites,
        Thresholds = [.. thresholds.Select(threshold => ThresholdJudge.Judge([server], threshold, note: null))],
    };
}
