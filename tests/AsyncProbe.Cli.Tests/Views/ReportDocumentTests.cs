using System.Net;
using System.Xml.Linq;
using AsyncProbe.Cli.Comparison;
using AsyncProbe.Cli.Observation;
using AsyncProbe.Cli.Runs;
using AsyncProbe.Cli.Tests.Runs;
using AsyncProbe.Cli.Thresholds;
using AsyncProbe.Cli.Views;
using AsyncProbe.Cli.Views.Documents;
using AsyncProbe.Cli.Views.Html;
using Spectre.Console;

namespace AsyncProbe.Cli.Tests.Views;

/// <summary>The terminal, Markdown and HTML say the same about a result.</summary>
[Trait("Category", "Logic")]
public class ReportDocumentTests
{
    private static readonly RunResult s_run = ThresholdJudge.Judge(
        Facts.Build(
            [Facts.Tally(Enumerable.Repeat(20d, 400), refused: 3), Facts.Tally(Enumerable.Repeat(30d, 5))],
            Facts.Server(("GET /a", 395, 10), ("GET /b|c", 3, 0)) with { PoolThreadsStart = 4, State = "healthy", Findings = ["Found *it*."] }),
        [ThresholdParser.Parse("p(50)<500")]) with { Unanswered = 2, UnansweredOldestMs = 1500 };

    [Fact]
    public void Run_IsTheSameInEveryView() => ShouldBeTheSame(ResultText.From(s_run));

    [Fact]
    public void Sweep_IsTheSameInEveryView()
    {
        var open = s_run with { Load = s_run.Load with { Model = LoadShape.Open, PlannedPerSecond = 40 } };
        var sweep = SweepResult.From([open, open with { Warnings = [new(RunWarningKind.ClientLimited, "limited")] }]);

        ShouldBeTheSame(ResultText.From(sweep));
    }

    // Build servers keep one result for each name.
    [Fact]
    public void Junit_HasOneCaseForEachRateOfASweep()
    {
        var runs = new[] { 10, 20.5 }.Select(
            rate => s_run with { Load = s_run.Load with { Model = LoadShape.Open, PlannedPerSecond = rate } });

        var suite = XDocument.Parse(ResultText.From(SweepResult.From([.. runs])).Junit()).Root!.Element("testsuite")!;

        suite.Elements("testcase").Select(test => (string?)test.Attribute("name"))
            .ShouldBe(["at 10.0 a second: p(50)<500", "at 20.5 a second: p(50)<500"]);
        suite.Element("system-out")!.Value.ShouldContain("at 20.5 a second: Found *it*.");
    }

    [Fact]
    public void Comparison_IsTheSameInEveryView()
    {
        var comparison = ComparisonBuilder.Build([("a", [s_run, s_run]), ("b<c>", [s_run, s_run])], [], freshServer: true, interrupted: false);

        ShouldBeTheSame(ResultText.From(comparison));
    }

    [Fact]
    public void Observation_IsTheSameInEveryView()
    {
        ReplicaSide[] replicas =
        [
            new() { Name = "one", Seconds = 10, Requests = 1000, Server = s_run.Server },
            new() { Name = "two", Problem = "It is gone.", Server = s_run.Server },
        ];
        var observation = new ObservationResult
        {
            StartedAt = DateTimeOffset.UnixEpoch, Seconds = 10, Replicas = replicas, Endpoints = FleetMerge.Endpoints(replicas),
            Findings = ["Found."], Thresholds = s_run.Thresholds,
        };

        ShouldBeTheSame(ResultText.From(observation));
    }

    private static void ShouldBeTheSame(ResultText result)
    {
        var document = result.Document;
        var (terminal, markdown, page) = (
            Words(Printed.Text(console => TerminalDocument.Write(document, console), width: 2000)), Words(WebUtility.HtmlDecode(MarkdownDocument.Create(document).Replace("\\", "", StringComparison.Ordinal))),
            Words(WebUtility.HtmlDecode(HtmlReport.Create(result))));
        var texts = document.Parts.Where(part => part.For == PartMedium.All).SelectMany(Texts).Select(Words).ToList();

        texts.Count.ShouldBeGreaterThan(20);
        texts.ShouldAllBe(text => terminal.Contains(text, StringComparison.Ordinal), terminal);
        texts.ShouldAllBe(text => markdown.Contains(text, StringComparison.Ordinal), markdown);
        texts.ShouldAllBe(text => page.Contains(text, StringComparison.Ordinal), page);
    }

    private static IEnumerable<string> Texts(DocumentPart part) => part switch
    {
        SentencesPart sentences => sentences.Sentences,
        TablePart { Rows: [_, ..] } table => [.. table.Columns.Select(column => column.Name), .. table.Rows.SelectMany(cells => cells), TextColumn.Legend(table.Columns)],
        ThresholdsPart thresholds => thresholds.Thresholds.SelectMany(
            threshold => new[] { threshold.Expression, ThresholdText.Actual(threshold) }),
        _ => [],
    };

    private static string Words(string text) => string.Join(' ', text.Split((char[]?)null, StringSplitOptions.RemoveEmptyEntries));
}
