using AsyncProbe.Cli.Comparison;
using AsyncProbe.Cli.Load;
using AsyncProbe.Cli.Outcomes;
using AsyncProbe.Cli.Runs;
using AsyncProbe.Cli.Tests.Runs;
using AsyncProbe.Cli.Thresholds;
using AsyncProbe.Cli.Views;
using AsyncProbe.Cli.Views.Documents;
using AsyncProbe.Cli.Views.Html;
using Spectre.Console;

namespace AsyncProbe.Cli.Tests.Views;

[Trait("Category", "Logic")]
[Trait("Category", ApprovedTexts.Category)]
public class TerminalViewTests
{
    [Fact]
    public void Report_ShowsFiguresServerAndThresholds()
    {
        var run = Facts.Run(
            100,
            server: Facts.Server(
                ("GET /a", 1000, 10)) with { PoolThreadsStart = 4, PoolThreadsMax = 1200, QueueDelayMaxMs = 7, State = "healthy",
                    Findings = ["Found."] });
        run = ThresholdJudge.Judge(
            run, [ThresholdParser.Parse("p(50)<500"), ThresholdParser.Parse("rps>100")]) with { Unanswered = 2, UnansweredOldestMs = 1500 };

        var text = Print(console => TerminalDocument.Write(RunDocument.Create(run), console));

        text.ShouldContain("✓ p(50)<500  20 ms");
        text.ShouldContain("✗ rps>100    100 a second");
        var texts = new ApprovedTexts("AsyncProbe.Cli.Tests/Views/RunDocument");
        texts.Add("a run with a server and thresholds", text);
        texts.ShouldBeApproved();
    }

    [Theory]
    [InlineData(null, true)]
    [InlineData(0.0, false)]
    public void Views_SayThatBlockedHoldsTheWaitForACore_WhereTheServerDoesNotTellIt(double? cpuWait, bool isSaid)
    {
        var server = Facts.Server(("GET /a", 1000, 10));
        var run = Facts.Run(
            100, server: server with { Endpoints = [server.Endpoints[0] with { CpuWaitMs = new(cpuWait, cpuWait, null) }] });

        Print(console => TerminalDocument.Write(RunDocument.Create(run), console))
            .Contains("that time is part of blocked", StringComparison.Ordinal).ShouldBe(isSaid);
        MarkdownDocument.Create(RunDocument.Create(run)).Contains("that time is part of blocked", StringComparison.Ordinal).ShouldBe(isSaid);
        HtmlReport.Create(ResultText.From(run)).Contains("that time is part of blocked", StringComparison.Ordinal).ShouldBe(isSaid);
    }

    [Fact]
    public void Sweep_ShowsWhichRatesWereHeld_AndEachWarningWithItsRate()
    {
        RunResult At(double planned) =>
            Facts.Run(40) with { Load = Facts.Run(40).Load with { Model = LoadShape.Open, PlannedPerSecond = planned } };
        var behind = At(80) with { Warnings = [new(RunWarningKind.FellBehind, "fell"), new(RunWarningKind.ClientLimited, "limited")] };

        var text = Print(console => TerminalDocument.Write(SweepDocument.Create(SweepResult.From([At(40), behind])), console));

        text.ShouldContain("✓ kept up");
        text.ShouldContain("✗ behind");
        text.ShouldContain("! at 80.0 a second: limited");
        // The table and the conclusion already say that.
        text.ShouldNotContain("fell\n");
        var texts = new ApprovedTexts("AsyncProbe.Cli.Tests/Views/SweepDocument");
        texts.Add("two rates, one of which was too high", text);
        texts.ShouldBeApproved();
    }

    [Fact]
    public void Comparison_ShowsMediansRatiosAndIntervals()
    {
        var comparison = ComparisonBuilder.Build(
            [("a", [Facts.Run(10), Facts.Run(20)]), ("b", [Facts.Run(100), Facts.Run(100)])], [], freshServer: true, interrupted: false);

        var text = Print(console => TerminalDocument.Write(ComparisonDocument.Create(comparison), console));

        text.ShouldContain("15.0");
        text.ShouldContain("6.7 × more (5.0 to 10)");
        var texts = new ApprovedTexts("AsyncProbe.Cli.Tests/Views/ComparisonDocument");
        texts.Add("two sessions in two rounds", text);
        texts.ShouldBeApproved();
    }

    [Fact]
    public void Plan_SaysHowTheLoadIsMade()
    {
        var texts = new ApprovedTexts("AsyncProbe.Cli.Tests/Views/LoadPlans");
        texts.Add("--once", LoadText.Plan(new LoadSettings { Once = true }));
        texts.Add("--threads 1 --warmup 2", LoadText.Plan(new LoadSettings { Threads = 1, Warmup = TimeSpan.FromSeconds(2) }));
        texts.Add("--rate 2.5 --requests 100", LoadText.Plan(new LoadSettings { Rate = 2.5, Requests = 100, Duration = null }));
        texts.Add("--requests 1", LoadText.Plan(new LoadSettings { Requests = 1 }));
        texts.ShouldBeApproved();
    }

    [Theory]
    [InlineData(0.25, false, null, "0.25 ms")]
    [InlineData(12.3456, false, "a note", "12.346 ms (a note)")]
    [InlineData(null, true, null, "the server's figure is not available")]
    [InlineData(null, false, null, "no sample")]
    public void Threshold_SaysWhatWasThere(double? actual, bool missing, string? note, string text) =>
        ThresholdText.Actual(new("x<1", actual, Holds: false, missing, note) { Unit = "ms" }).ShouldBe(text);

    private static string Print(Action<IAnsiConsole> write)
    {
        using var results = new StringWriter();
        write(new Output(results, TextWriter.Null, resultsAreTerminal: false, messagesAreTerminal: false).ResultsConsole());
        return results.ToString();
    }
}
