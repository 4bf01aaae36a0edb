using AsyncProbe.Cli.Comparison;
using AsyncProbe.Cli.Joining;
using AsyncProbe.Cli.Runs;
using AsyncProbe.Cli.Statistics;
using AsyncProbe.Cli.Tests.Runs;
using AsyncProbe.Cli.Thresholds;
using AsyncProbe.Cli.Views;
using AsyncProbe.Cli.Views.Documents;
using Spectre.Console;

namespace AsyncProbe.Cli.Tests.Views;

/// <summary>All printed output fits the terminal, and no figure is split.</summary>
[Trait("Category", "Logic")]
public class FittedTableTests
{
    private const string LongName = "GET /api/v2/customers/{customerId}/orders/{orderId}/rows";

    private static readonly RunResult s_run = Facts.Build(
        [.. Enumerable.Range(1, 3).Select(i => Facts.Tally(Enumerable.Range(1, 400).Select(n => 20.0 + (n * i))))],
        Facts.Server((LongName, 123_456, 12_345), ("GET /a", 3, 10)) with
        {
            PoolThreadsStart = 4, PoolThreadsMax = 1200, QueueDelayMaxMs = 7, PendingMax = 99_999, BlockedThreadsMax = 1199,
            State = "healthy", WorstState = "starved",
        });

    [Fact]
    public void Columns_ThatDoNotFit_AreNamed_AlsoWithoutALegend()
    {
        var table = new FittedTable(new TextColumn("name"), new TextColumn("figure", 2, "what it means"), new TextColumn("other", 1));
        table.Add("row", "1", new string('9', 30));

        var text = Printed.Text(console => table.Write(console, legend: false, namesHidden: true), 36);

        text.ShouldContain("Too narrow to show: figure.");
        text.ShouldNotContain("what it means");
        Printed.Text(console => table.Write(console, legend: false), 36).ShouldNotContain("Too narrow");
    }

    [Theory]
    [InlineData(60)]
    [InlineData(80)]
    [InlineData(132)]
    public void Run_FitsTheWidth(int width)
    {
        var run = ThresholdJudge.Judge(s_run, [ThresholdParser.Parse("p(95)<500"), ThresholdParser.Parse("blocked.avg<1")]);

        var text = Printed.Text(console => TerminalDocument.Write(RunDocument.Create(run), console), width);

        Fits(text, width);
        // A figure isn't split at its thousands separator.
        text.ShouldContain("12,345");
        text.ShouldContain(LongName);
        text.ShouldContain("█");
    }

    [Theory]
    [InlineData(60)]
    [InlineData(80)]
    public void Comparison_FitsTheWidth(int width)
    {
        var comparison = ComparisonBuilder.Build(
            [("customers-sync-throttled", [Facts.Run(100), Facts.Run(105)]),
                ("customers-async-throttled", [Facts.Run(1300), Facts.Run(900)]), ("customers-cached", [Facts.Run(4000), Facts.Run(5000)])],
            [], freshServer: false, interrupted: false);

        var text = Printed.Text(console => TerminalDocument.Write(ComparisonDocument.Create(comparison), console), width);

        Fits(text, width);
        text.ShouldContain("10.7 × more (8.6 to 13)");
        text.ShouldContain("A: customers-sync-throttled, B: customers-cached");
    }

    [Theory]
    [InlineData(60)]
    [InlineData(80)]
    public void Sweep_FitsTheWidth(int width) =>
        Fits(Printed.Text(console => TerminalDocument.Write(SweepDocument.Create(SweepResult.From([s_run, s_run])), console), width), width);

    [Fact]
    public void Columns_GoByTheirRank_AndAreNamed()
    {
        var table = new FittedTable(
            new("name"), new("keep", 0, "stays"), new("second", 1), new("first", 2, "never explained when it is not there"));
        table.Add("a", "1,234,567", "22", "33");

        var wide = Printed.Text(console => table.Write(console), 80);
        var narrow = Printed.Text(console => table.Write(console), 24);
        var narrower = Printed.Text(console => table.Write(console), 17);

        wide.ShouldContain("33");
        wide.ShouldNotContain("Too narrow");
        narrow.ShouldContain("22");
        narrow.ShouldNotContain("33");
        Flat(narrow).ShouldContain("Too narrow to show: first.");
        narrower.ShouldContain("1,234,567");
        Flat(narrower).ShouldContain(": second, first.");
    }

    [Fact]
    public void Name_ThatIsTooLong_StandsAboveItsFigures()
    {
        var table = new FittedTable(new("name"), new("held"));
        table.Add("GET /a-name-that-is-long", "1,234");
        table.Add("GET /b", "5");

        Printed.Text(console => table.Write(console), 26).ReplaceLineEndings("\n")
            .ShouldBe("name                  held\nGET /a-name-that-is-long\n                     1,234\nGET /b                   5\n");
    }

    [Theory]
    [InlineData(3, "collecting: 3 of 5")]
    [InlineData(0, "collecting: 0 of 5")]
    public void Endpoint_WithFewRequests_SaysHowManyAreNeeded(long requests, string text)
    {
        var row = s_run.Server.Endpoints[0] with { Requests = requests, Verdict = EndpointVerdict.NotEnoughData };

        ServerText.Verdict(row).ShouldBe(text);
        ServerText.Verdict(row with { BlockedMs = new(null, null, null) }).ShouldBe("n/a");
        Printed.Text(console => TerminalDocument.Write(RunDocument.Create(s_run with { Server = s_run.Server with { Endpoints = [row] } }), console), 80)
            .ShouldContain("collecting: a verdict needs 5 requests");
    }

    [Theory]
    [InlineData(13.04, 7.9, 25.2, "13.0 × more (7.9 to 25)")]
    [InlineData(0.5, 0.4, 0.8, "2.0 × less (1.25 to 2.5)")]
    [InlineData(1.2, 0.9, 1.4, "no significant difference")]
    [InlineData(6.7, null, null, "6.7 × more")]
    [InlineData(2000.0, 1500.0, 2500.0, "more than 1,000 × more")]
    [InlineData(0.00125, 0.0, 0.002, "800 × less (500 to more than 1,000)")]
    [InlineData(0.0, 0.0, 0.0, "none left")]
    [InlineData(1.001, null, null, "about the same")]
    [InlineData(1.05, 1.02, 1.08, "1.05 × more (1.02 to 1.08)")]
    [InlineData(1.5, 1.0, 2.0, "no significant difference")]
    [InlineData(0.8, 0.5, 1.0, "no significant difference")]
    [InlineData(1.99, null, null, "1.99 × more")]
    [InlineData(2.0, null, null, "2.0 × more")]
    [InlineData(99.94, null, null, "99.9 × more")]
    [InlineData(100.0, null, null, "100 × more")]
    [InlineData(1000.0, null, null, "1,000 × more")]
    [InlineData(5.0, 2.0, 10.0, "5.0 × more (2.0 to 10)")]
    [InlineData(900.0, 800.0, 1000.0, "900 × more (800 to 1,000)")]
    [InlineData(3.0, 3.0, 3.0, "3.0 × more")]
    [InlineData(1.0, null, null, "about the same")]
    public void Ratio_IsSaidAsPeopleSayIt(double ratio, double? low, double? high, string text) =>
        RatioText.Describe(ratio, low, high, "more", "less").ShouldBe(text);

    private static string Flat(string text) => string.Join(' ', text.Split((char[]?)null, StringSplitOptions.RemoveEmptyEntries));

    private static void Fits(string text, int width) =>
        text.Split('\n').Where(line => new Spectre.Console.Rendering.Segment(line.TrimEnd('\r')).CellCount() > width).ShouldBeEmpty();
}
