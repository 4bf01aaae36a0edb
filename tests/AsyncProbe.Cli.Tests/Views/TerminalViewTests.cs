using AsyncProbe.Cli.Commands;
using AsyncProbe.Cli.Comparison;
using AsyncProbe.Cli.Load;
using AsyncProbe.Cli.Runs;
using AsyncProbe.Cli.Tests.Runs;
using AsyncProbe.Cli.Thresholds;
using AsyncProbe.Cli.Views;
using AsyncProbe.Cli.Views.Html;
using Spectre.Console;

namespace AsyncProbe.Cli.Tests.Views;

[Trait("Category", "Logic")]
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

        var text = Print(console => TerminalReport.Write(run, console, quiet: false));

        text.ShouldContain("closed model, 2 threads for 10 s after 2 s of warm-up; times are time from send");
        text.ShouldContain("status 200: 1,000;");
        text.ShouldContain("2 unanswered at the end, the oldest after 1.5 s");
        text.ShouldContain("Server: pool threads 4 → 1,200, max queue delay 7.00 ms, healthy at the end");
        text.ShouldContain("! Found.");
        text.ShouldContain("✓ p(50)<500  20 ms");
        text.ShouldContain("✗ rps>100    100 a second");
        text.ShouldContain("not the bottleneck");
    }

    [Theory]
    [InlineData(null, true)]
    [InlineData(0.0, false)]
    public void Views_SayThatBlockedHoldsTheWaitForACore_WhereTheServerDoesNotTellIt(double? cpuWait, bool isSaid)
    {
        var server = Facts.Server(("GET /a", 1000, 10));
        var run = Facts.Run(
            100, server: server with { Endpoints = [server.Endpoints[0] with { CpuWaitMs = new(cpuWait, cpuWait, null) }] });

        Print(console => TerminalReport.Write(run, console, quiet: false))
            .Contains("that time is part of blocked", StringComparison.Ordinal).ShouldBe(isSaid);
        MarkdownReport.Create(run).Contains("that time is part of blocked", StringComparison.Ordinal).ShouldBe(isSaid);
        HtmlReport.Create([run], "t", conclusion: null).Contains("that time is part of blocked", StringComparison.Ordinal).ShouldBe(isSaid);
    }

    [Fact]
    public void Sweep_ShowsWhichRatesWereHeld_AndEachWarningWithItsRate()
    {
        RunResult At(double planned) =>
            Facts.Run(40) with { Load = Facts.Run(40).Load with { Model = LoadShape.Open, PlannedPerSecond = planned } };
        var behind = At(80) with { Warnings = [new(RunWarningKind.FellBehind, "fell"), new(RunWarningKind.ClientLimited, "limited")] };

        var text = Print(console => TerminalSweep.Write(SweepResult.From([At(40), behind]), console));

        text.ShouldContain("✓ kept up");
        text.ShouldContain("✗ behind");
        text.ShouldContain("! at 80.0 a second: limited");
        // The table and the conclusion already say that.
        text.ShouldNotContain("fell\n");
        text.ShouldContain("story kept up with 40 requests a second and fell behind at 80: 40 a second answered in time, 0.0 % failed.");
    }

    [Fact]
    public void Comparison_ShowsMediansRatiosAndIntervals()
    {
        var comparison = ComparisonBuilder.Build(
            [("a", [Facts.Run(10), Facts.Run(20)]), ("b", [Facts.Run(100), Facts.Run(100)])], [], freshServer: true, interrupted: false);

        var text = Print(console => TerminalComparison.Write(comparison, console));

        text.ShouldContain("2 interleaved rounds, the server started afresh for every run");
        text.ShouldContain("15.0");
        text.ShouldContain("6.7 × more (5.0 to 10)");
        text.ShouldContain("in brackets the lowest and highest ratio within a round");
        text.ShouldContain("Requests a second: a 15.0; b 100, 6.7 × more (5.0 to 10).");
    }

    [Fact]
    public void Plan_SaysHowTheLoadIsMade()
    {
        LoadText.Plan(new LoadSettings { Once = true }).ShouldBe("one pass on one thread");
        LoadText.Plan(new LoadSettings { Threads = 1, Warmup = TimeSpan.FromSeconds(2) }).ShouldBe("1 thread, 10 s after 2 s of warm-up");
        LoadText.Plan(new LoadSettings { Rate = 2.5, Requests = 100, Duration = null })
            .ShouldBe("2.5 planned requests a second, 100 requests after 0 s of warm-up");
        LoadText.Plan(new LoadSettings { Requests = 1 }).ShouldBe("2 threads, 10 s or 1 request after 0 s of warm-up");
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
