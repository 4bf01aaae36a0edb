using System.CommandLine;
using System.Globalization;
using AsyncProbe.Cli.Comparison;
using AsyncProbe.Cli.Load;
using AsyncProbe.Cli.Options;
using AsyncProbe.Cli.Outcomes;
using AsyncProbe.Cli.Runs;
using AsyncProbe.Cli.Sites;
using AsyncProbe.Cli.Thresholds;
using AsyncProbe.Cli.Views;

namespace AsyncProbe.Cli.Commands;

/// <summary><c>compare</c>: runs sessions in interleaved rounds, or compares saved runs.</summary>
internal static class CompareCommand
{
    /// <summary>Bounds memory: the figures of all rounds are kept until the end.</summary>
    private const int MaxRounds = 1000;

    private const int DefaultRounds = 5;

    public static Command Create(Output output)
    {
        var sources = new Argument<string[]>("session")
        {
            Arity = new ArgumentArity(2, 20),
            Description = "At least two session files or URLs, or runs saved with --save (.json).",
        };
        var rounds = NumberOption.Create("--rounds", null, 1, MaxRounds, "Rounds A B C, A B C, ... Default: 5.");
        var server = new Option<string[]>("--server")
        {
            HelpName = "\"command\"|PID|name",
            Description = "The command that starts the server before every run, so that a pool that grew in one run doesn't help the next. "
                + "Or a running process to attach to. Give it once for all sessions, or once for each in their order.",
        };
        var options = new RunOptions();
        var baselineOption = new BaselineOption();
        var report = new ReportOptions();
        var command = new Command(
            "compare", "Compare sessions in interleaved rounds, or saved runs: medians, ratios with confidence intervals, a conclusion.")
        {
            sources, rounds, server,
        };
        options.AddTo(command);
        baselineOption.AddTo(command);
        report.AddTo(command);
        command.SetAction(async (parsed, interrupt) =>
        {
            var target = report.Target(parsed, output);
            var thresholds = options.Thresholds(parsed);
            var baseline = await baselineOption.ReadAsync(parsed, thresholds, interrupt);
            var names = parsed.GetRequiredValue(sources);
            var count = parsed.GetValue(rounds) ?? DefaultRounds;
            var (result, failure) = names.Any(SavedRun.IsOne)
                ? (await CompareSavedAsync(names, thresholds, baseline, interrupt), null)
                : await CompareSessionsAsync(
                    names, parsed, options, target, thresholds, baseline, count, Servers(parsed.GetValue(server) ?? [], names), interrupt);
            return await target.FinishAsync(ResultText.From(result), failure ?? ExitDecision.Decide(result));
        });
        return command;
    }

    private static async Task<ComparisonResult> CompareSavedAsync(
        string[] names, IReadOnlyList<Threshold> thresholds, Baseline? baseline, CancellationToken interrupt)
    {
        var sessions = new List<(string, IReadOnlyList<RunResult>)>();
        foreach (var name in names)
        {
            if (!SavedRun.IsOne(name))
            {
                throw new CommandException(
                    ExitCode.Usage, $"{name} is not a saved run, but others are. compare takes either sessions or saved runs.");
            }

            sessions.Add((Path.GetFileNameWithoutExtension(name), [Apply(baseline, await SavedRun.LoadAsync(name, interrupt))]));
        }

        ThresholdNames.Check(
            thresholds, sessions.SelectMany(session => session.Item2.SelectMany(run => run.Requests.Select(request => request.Name))));
        CheckPercentiles(thresholds);
        return ComparisonBuilder.Build(sessions, thresholds, freshServer: false, interrupted: false);
    }

    // A saved run has no distribution to calculate others from.
    private static void CheckPercentiles(IReadOnlyList<Threshold> thresholds)
    {
        var known = ThresholdMetrics.SavedPercentiles;
        if (thresholds.FirstOrDefault(threshold => threshold.Percent is { } percent && !known.Contains(percent)) is { } other)
        {
            var list = string.Join(", ", known.Select(percent => percent.ToString(CultureInfo.InvariantCulture)));
            throw new CommandException(
                ExitCode.Usage, $"The threshold \"{other.Expression}\" asks for a percentile that saved runs don't have. They have {list}.");
        }
    }

    /// <returns>The comparison, and why it has fewer rounds than it should; null if it has all, or a user interrupted it.</returns>
    private static async Task<(ComparisonResult Result, (int Code, string? Why)? Failure)> CompareSessionsAsync(
        string[] names, ParseResult parsed, RunOptions options, ReportTarget target, IReadOnlyList<Threshold> thresholds,
        Baseline? baseline, int rounds, IReadOnlyList<ServerChoice> servers, CancellationToken interrupt)
    {
        var rates = options.Rates(parsed);
        if (rates.Length > 1)
        {
            throw new CommandException(ExitCode.Usage, "compare takes one --rate. For several rates, use run.");
        }

        double? rate = rates.Length == 0 ? null : rates[0];
        var sessions = new List<PreparedSession>();
        foreach (var name in names)
        {
            sessions.Add(
                await SessionLoader.LoadAsync(
                    name, options.Import(parsed), file => options.Settings(parsed, file, rate), target, interrupt));
        }

        ThresholdNames.Check(thresholds, sessions.SelectMany(session => session.RequestNames));
        foreach (var session in servers.Count == 0 ? sessions : [])
        {
            await Preflight.CheckAsync(session, interrupt);
        }

        var results = sessions.ConvertAll(session => (session.Name, Rounds: (IReadOnlyList<RunResult>)new List<RunResult>()));
        var runner = new Rounds(target, options.Probe(parsed), servers);
        var end = await runner.RunAsync(
            sessions, rounds, (i, run) => ((List<RunResult>)results[i].Rounds).Add(Apply(baseline, run)), interrupt);
        if (results.Any(result => result.Rounds.Count == 0))
        {
            throw new CommandException(ExitCode.Interrupted, "Interrupted before every session had run once, so nothing can be compared.");
        }

        var freshServer = servers.Count > 0 && servers.All(choice => choice.Process is null);
        return (ComparisonBuilder.Build(Named(results), thresholds, freshServer, end.IsEarly), end.Failure);
    }

    private static IReadOnlyList<ServerChoice> Servers(string[] typed, string[] sessions) =>
        typed.Length <= 1 || typed.Length == sessions.Length
            ? [.. typed.Select(ServerChoice.Parse)]
            : throw new CommandException(
                ExitCode.Usage, $"--server is given {typed.Length} times for {sessions.Length} sessions: give it once, or once for each.");

    private static RunResult Apply(Baseline? baseline, RunResult run) =>
        baseline is null ? run : run with { Server = baseline.Apply(run.Server) };

    /// <summary>Adds a letter to names that occur more than once, such as the same file name in two folders.</summary>
    private static List<(string Name, IReadOnlyList<RunResult> Rounds)> Named(
        List<(string Name, IReadOnlyList<RunResult> Rounds)> results) =>
        [.. results.Select(
            (result, i) => results.Count(other => other.Name == result.Name) > 1
                ? ($"{(char)('A' + i)}: {result.Name}", result.Rounds)
                : result)];
}
