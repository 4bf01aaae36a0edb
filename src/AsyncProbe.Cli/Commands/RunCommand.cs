using System.CommandLine;
using System.CommandLine.Parsing;
using AsyncProbe.Cli.Comparison;
using AsyncProbe.Cli.Options;
using AsyncProbe.Cli.Outcomes;
using AsyncProbe.Cli.Runs;
using AsyncProbe.Cli.Thresholds;
using AsyncProbe.Cli.Views;

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
        var server = new Option<string?>("--server")
        {
            HelpName = "PID|name|\"command\"",
            Arity = ArgumentArity.ZeroOrOne,
            Description = "The server: a running process, or a command that starts it for this run. If the server lacks AsyncProbe, the "
                + "command attaches it. Without a value, put the command after --.",
        };
        var words = new Argument<string[]>("command")
        {
            Arity = ArgumentArity.ZeroOrMore,
            Description = "With --server: the command that starts the server, after --.",
        };
        var differences = new Option<bool>("--differences")
        {
            Description = "Also list what WebSurge would do differently with this session.",
        };
        var options = new RunOptions();
        var baseline = new BaselineOption();
        var report = new ReportOptions();
        var command = new Command("run", "Run one session, and show the client's and the server's figures in one report.")
        {
            source, words, server, differences,
        };
        options.AddTo(command);
        baseline.AddTo(command);
        report.AddTo(command);
        command.SetAction((parsed, cancellationToken) =>
        {
            var target = report.Target(parsed, output);
            var choice = Server(parsed.GetResult(server) is not null, parsed.GetValue(server), WordsOf(parsed, words));
            return RunAsync(parsed.GetRequiredValue(source), choice, parsed, options, baseline, parsed.GetValue(differences), target,
                cancellationToken);
        });
        return command;
    }

    // The parser puts what it doesn't know among the words of the command, such as a mistyped option.
    private static string[] WordsOf(ParseResult parsed, Argument<string[]> words)
    {
        var all = parsed.GetValue(words) ?? [];
        var afterDashes = parsed.Tokens.SkipWhile(token => token.Type != TokenType.DoubleDash).Skip(1).Count();
        return all.Length <= afterDashes ? all : throw new CommandException(ExitCode.Usage, UsageErrors.DescribeUnexpected(all[0], parsed));
    }

    private static ServerChoice? Server(bool isGiven, string? value, string[] words) => (isGiven, value, words) switch
    {
        (true, null, []) => throw new CommandException(
            ExitCode.Usage, "--server needs a value: a process's number or name, or a command after --. See asyncprobe run --help."),
        (true, null, _) => ServerChoice.Run(words),
        (false, _, [_, ..]) => throw new CommandException(
            ExitCode.Usage, "A command after -- is the server's, so it needs --server before it. See asyncprobe run --help."),
        (true, _, [_, ..]) => throw new CommandException(
            ExitCode.Usage, "--server has a value and a command follows after --; give one of them. See asyncprobe run --help."),
        (true, _, _) => ServerChoice.Parse(value!),
        _ => null,
    };

    private static async Task<int> RunAsync(
        string source, ServerChoice? choice, ParseResult parsed, RunOptions options, BaselineOption baselineOption,
        bool hasDifferences, ReportTarget target, CancellationToken interrupt)
    {
        var thresholds = options.Thresholds(parsed);
        var rates = options.Rates(parsed);
        var probe = options.Probe(parsed);
        var baseline = await baselineOption.ReadAsync(parsed, thresholds, interrupt);
        double? first = rates.Length == 0 ? null : rates[0];
        var session = await SessionLoader.LoadAsync(
            source, options.Import(parsed), file => options.Settings(parsed, file, first), target, interrupt);
        ThresholdNames.Check(thresholds, session.RequestNames);
        if (choice is null)
        {
            await Preflight.CheckAsync(session, interrupt);
        }

        await using var server = await RunServer.BeginAsync(choice, session, probe, target.Output.Messages, interrupt);
        var runs = new List<RunResult>();
        foreach (var rate in rates.Length == 0 ? [null] : rates.Cast<double?>())
        {
            using var observer = Observers.Create(target);
            var run = await SessionRun.RunAsync(session.AtRate(rate), server.Probe, observer, interrupt);
            runs.Add(ThresholdJudge.Judge(run with { Server = baseline?.Apply(run.Server) ?? run.Server }, thresholds));
            if (run.Interrupted)
            {
                break;
            }
        }

        var text = rates.Length <= 1 ? ResultText.From(runs[0], hasDifferences) : ResultText.From(SweepResult.From(runs));
        return await target.FinishAsync(text, ExitDecision.Decide(runs));
    }
}
