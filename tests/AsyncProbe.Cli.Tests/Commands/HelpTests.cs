using System.CommandLine;
using AsyncProbe.Cli.Commands;
using AsyncProbe.Cli.Outcomes;
using AsyncProbe.Cli.Thresholds;

namespace AsyncProbe.Cli.Tests.Commands;

public class HelpTests
{
    [Fact]
    [Trait("Category", ApprovedTexts.Category)]
    public async Task Help_IsApproved()
    {
        var root = await HelpAsync();
        var exitCodes = root[root.IndexOf("Exit codes:", StringComparison.Ordinal)..];
        var run = await HelpAsync("run");
        var thresholds = run[run.IndexOf("Thresholds (", StringComparison.Ordinal)..run.IndexOf("Examples:", StringComparison.Ordinal)];

        var texts = new ApprovedTexts("AsyncProbe.Cli.Tests/Commands/Help");
        texts.Add("asyncprobe --help", root);
        texts.Add("thresholds", thresholds);
        foreach (var command in Commands(root))
        {
            var help = await HelpAsync(command);

            help.ShouldEndWith(exitCodes);
            help.Contains(thresholds, StringComparison.Ordinal).ShouldBe(help.Contains("--threshold <EXPR>", StringComparison.Ordinal), command);
            texts.Add(
                $"asyncprobe {command} --help",
                help[..^exitCodes.Length].Replace(thresholds, "(thresholds)\n\n", StringComparison.Ordinal) + "(exit codes)");
        }

        texts.ShouldBeApproved();
    }

    [Theory]
    [InlineData("run")]
    [InlineData("compare")]
    [InlineData("check")]
    [InlineData("import")]
    [InlineData("export")]
    [InlineData("watch")]
    [InlineData("report")]
    [InlineData("observe")]
    [InlineData("look")]
    [InlineData("attach")]
    [InlineData("detach")]
    [InlineData("start")]
    public async Task Help_HasExamples_ThatCanBeParsed(string command)
    {
        var help = (await Tool.RunAsync(command, "--help")).Results;

        var examples = help[help.IndexOf("Examples:", StringComparison.Ordinal)..].Split('\n')
            .Where(line => line.StartsWith("  asyncprobe ", StringComparison.Ordinal)).ToList();
        examples.ShouldNotBeEmpty();
        var root = CommandLine.Create(new Output(TextWriter.Null, TextWriter.Null, resultsAreTerminal: false, messagesAreTerminal: false));
        foreach (var example in examples)
        {
            example.ShouldStartWith($"  asyncprobe {command} ");
            var words = example.Trim().Replace("'", "", StringComparison.Ordinal).Split(' ')[1..];
            root.Parse(words).Errors.ShouldBeEmpty(example);
        }
    }

    // A terminal breaks a longer line inside a word.
    [Theory]
    [InlineData("run")]
    [InlineData("report")]
    public async Task Help_FitsATerminal(string command)
    {
        using var results = new StringWriter();
        var output = new Output(results, TextWriter.Null, resultsAreTerminal: true, messagesAreTerminal: false) { ResultsWidth = 80 };

        (await CommandLine.RunAsync([command, "--help"], output, CancellationToken.None)).ShouldBe(0);

        results.ToString().ReplaceLineEndings("\n").Split('\n').ShouldAllBe(line => line.Length <= 80);
    }

    [Fact]
    public async Task Command_ExitsWith2AndPointsToTheHelp_WhenNothingIsAsked()
    {
        var tool = await Tool.RunAsync();

        tool.ExitCode.ShouldBe(2);
        tool.Messages.ShouldContain("asyncprobe --help");
    }

    [Theory]
    [InlineData("run")]
    [InlineData("compare")]
    [InlineData("observe")]
    [InlineData("report")]
    [InlineData("export")]
    public async Task Reference_NamesEveryOptionAndMetric(string command)
    {
        var reference = await File.ReadAllTextAsync(Path.Combine(Repository.Folder, "docs", "asyncprobe.md"));

        var help = (await Tool.RunAsync(command, "--help")).Results;
        var options = System.Text.RegularExpressions.Regex.Matches(help, "--[a-z0-9-]+").Select(match => match.Value).Except(["--help"]);
        options.ShouldAllBe(option => reference.Contains(option));
        ThresholdMetrics.All.Select(metric => metric.Split('.', '(')[0]).ShouldAllBe(metric => reference.Contains(metric));
    }

    private static IEnumerable<string> Commands(string help) =>
        help[help.IndexOf("Commands:", StringComparison.Ordinal)..].Split('\n').Skip(1).TakeWhile(line => line.StartsWith("  ", StringComparison.Ordinal))
            .Select(line => line.Split(' ', StringSplitOptions.RemoveEmptyEntries)[0]);

    private static async Task<string> HelpAsync(params string[] command)
    {
        var tool = await Tool.RunAsync([.. command, "--help"]);
        tool.ExitCode.ShouldBe(0);

        // The usage line has the name of the program that runs, which is a test host here.
        return tool.Results.ReplaceLineEndings("\n").Replace($"  {RootCommand.ExecutableName} ", "  asyncprobe ", StringComparison.Ordinal);
    }
}
