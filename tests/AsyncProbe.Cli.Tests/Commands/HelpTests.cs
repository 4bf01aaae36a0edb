using AsyncProbe.Cli.Thresholds;

namespace AsyncProbe.Cli.Tests.Commands;

public class HelpTests
{
    [Fact]
    public async Task Help_HoldsTheGrammarAndTheExitCodes()
    {
        var tool = await Tool.RunAsync("run", "--help");

        tool.ExitCode.ShouldBe(0);
        tool.Results.ShouldContain("threshold  = [ \"name[\"");
        tool.Results.ShouldContain("99   a threshold did not hold");
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
    public async Task Help_HasExamples_ThatCanBeParsed(string command)
    {
        var help = (await Tool.RunAsync(command, "--help")).Results;

        var examples = help[help.IndexOf("Examples:", StringComparison.Ordinal)..].Split('\n')
            .Where(line => line.StartsWith("  asyncprobe ", StringComparison.Ordinal)).ToList();
        examples.ShouldNotBeEmpty();
        foreach (var example in examples)
        {
            example.ShouldStartWith($"  asyncprobe {command} ");
            (await Tool.RunAsync([.. example.Trim().Replace("'", "", StringComparison.Ordinal).Split(' ')[1..], "--help"])).ExitCode.ShouldBe(0);
        }
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
}
