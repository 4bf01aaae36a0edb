using AsyncProbe.Cli.Comparison;
using AsyncProbe.Cli.Runs;
using AsyncProbe.Cli.Statistics;
using AsyncProbe.Cli.Tests.Runs;
using AsyncProbe.Cli.Thresholds;

namespace AsyncProbe.Cli.Tests.Comparison;

[Trait("Category", "Logic")]
public class ComparisonBuilderTests
{
    [Fact]
    public void Ratio_IsOfMedians_AndItsIntervalOfRounds()
    {
        var compared = Build(("slow", [10, 20, 30]), ("fast", [40, 50, 150]));

        var figure = compared.Sessions[1].Figures[0];
        figure.Median.ShouldBe(50);
        figure.Ratio.ShouldBe(2.5);
        // The rounds' ratios are 4, 2.5 and 5.
        (figure.RatioLow, figure.RatioHigh).ShouldBe((2.5, 5));
        figure.Shown.ShouldBeTrue();
        compared.Sessions[0].Figures[0].Ratio.ShouldBeNull();
        compared.Conclusion.ShouldEndWith("fast 50.0, 2.5 × more (2.5 to 5.0).");
    }

    [Fact]
    public void Ratio_IsNotShown_WhenARoundSaysTheOpposite()
    {
        var compared = Build(("a", [10, 20, 30]), ("b", [11, 19, 90]));

        compared.Sessions[1].Figures[0].Shown.ShouldBeFalse();
        compared.Conclusion.ShouldContain("b 19.0, no significant difference");
    }

    [Fact]
    public void Ratio_HasNoInterval_InOneRound()
    {
        var compared = Build(("a", [10]), ("b", [100]));

        compared.Sessions[1].Figures[0].RatioLow.ShouldBeNull();
        compared.Conclusion.ShouldEndWith("b 100, 10.0 × more.");
        AsyncProbe.Cli.Views.ComparisonText.Legend(compared).ShouldContain("a single round");
        // Of a hundred requests, only one is slower than the p99.
        AsyncProbe.Cli.Views.ComparisonText.Number(compared.Sessions[0].Figures.Single(figure => figure.Name == "p99")).ShouldBe("20.0*");
        AsyncProbe.Cli.Views.ComparisonText.Legend(compared).ShouldContain("* fewer than ten");
    }

    [Theory]
    [InlineData(new[] { 10.0, 20, 40 }, new[] { 0.5, 0.8, 8 }, "25.0 × fewer (5.0 to 25)")]
    [InlineData(new[] { 10.0, 20, 40 }, new[] { 1.0, 4, 6 }, "5.0 × fewer (5.0 to 10)")]
    [InlineData(new[] { 10.0, 20, 40 }, new[] { 130.0, 160, 1000 }, "8.0 × more (8.0 to 25)")]
    [InlineData(new[] { 10.0, 20, 40 }, new[] { 9.0, 21, 41 }, "no significant difference")]
    public void Interval_IsWrittenAsItsRatio(double[] first, double[] second, string cell) =>
        AsyncProbe.Cli.Views.Documents.ComparisonDocument.Create(Build(("a", first), ("b", second))).Parts.OfType<AsyncProbe.Cli.Views.Documents.TablePart>().First().Rows[0][3].ShouldBe(cell);

    [Theory]
    [InlineData(new double[0], null)]
    [InlineData(new[] { 3.0 }, 3.0)]
    [InlineData(new[] { 9.0, 1.0, 5.0 }, 5.0)]
    [InlineData(new[] { 4.0, 1.0, 9.0, 2.0 }, 3.0)]
    public void Median_IsTheMiddle(double[] values, double? median) =>
        Median.Calculate(values.Select(value => (double?)value)).ShouldBe(median);

    [Fact]
    public void ServersTime_IsWeightedByRequests()
    {
        var server = Facts.Server(("GET /a", 300, 10), ("GET /b", 100, 50));
        var compared = ComparisonBuilder.Build(
            [("a", [Facts.Run(40, server: server)]), ("b", [Facts.Run(40)])], [], freshServer: false, interrupted: false);

        compared.Sessions[0].Figures.Single(figure => figure.Name == "blocked a request").Median.ShouldBe(20);
        compared.Sessions[1].Figures.Single(figure => figure.Name == "blocked a request").Median.ShouldBeNull();
    }

    /// <summary>The sentences below the table use the same medians as the table, not one round.</summary>
    [Fact]
    public void Predictions_HoldTheTablesFigures()
    {
        RunResult[] rounds =
        [
            Facts.Run(10, server: Facts.Server(("GET /a", 100, 100))),
            Facts.Run(20, server: Facts.Server(("GET /a", 200, 300))),
        ];

        var compared = ComparisonBuilder.Build([("a", rounds), ("b", rounds)], [], freshServer: false, interrupted: false);

        var figures = compared.Sessions[0].Figures.ToDictionary(figure => figure.Name, AsyncProbe.Cli.Views.ComparisonText.Number);
        figures["blocked a request"].ShouldBe("200");
        compared.Predictions[0]
            .ShouldMatch($@" {figures["held a request"]} ms .* {figures["blocked a request"]} ms ");
    }

    [Theory]
    [InlineData("p(50)<5", null)]
    [InlineData("p(99)<5", "fewer than ten requests were slower")]
    [InlineData("blocked.avg<5", "until the server's last answer")]
    [InlineData("rps>5", null)]
    public void Threshold_IsMarked_WhereItsFigureIsOnlyAPart(string expression, string? note)
    {
        var run = Facts.Run(40, server: Facts.Server(("GET /a", 400, 10)) with { EndAnswered = false });

        var judged = ThresholdJudge.Judge(run, [ThresholdParser.Parse(expression)]).Thresholds.Single();

        judged.Note.ShouldBe(note);
        AsyncProbe.Cli.Views.JunitReport.Create("s", [judged], 1, []).Contains(note ?? "does not hold")
            .ShouldBe(note is not null || !judged.Holds);
    }

    [Theory]
    [InlineData("rps>15", true, 20.0)]
    [InlineData("rps>25", false, 20.0)]
    [InlineData("blocked.avg<5", false, null)]
    public void Threshold_IsJudgedOnTheMedianOfRounds(string expression, bool holds, double? actual)
    {
        var threshold = ThresholdParser.Parse(expression);
        var compared = ComparisonBuilder.Build(
            [("a", [Facts.Run(10), Facts.Run(20), Facts.Run(30)]), ("b", [Facts.Run(40)])], [threshold], freshServer: false,
            interrupted: false);

        var result = compared.Thresholds[0];
        (result.Holds, result.Actual, result.ServerFigureMissing).ShouldBe((holds, actual, actual is null));
    }

    [Theory]
    [InlineData("blocked.avg", 20.0)]
    [InlineData("name[GET /b]:blocked.avg", 50.0)]
    [InlineData("name[get /a]:held.avg", 12.0)]
    [InlineData("blocked.total", 8000.0)]
    [InlineData("name[GET /nowhere]:blocked.avg", null)]
    [InlineData("name[request 0]:p(50)", 20.0)]
    [InlineData("name[nothing]:p(50)", null)]
    [InlineData("failed.rate", 0.0)]
    [InlineData("unanswered", 0.0)]
    [InlineData("cpuwait.avg", null)]
    public void Threshold_FindsItsFigure(string metric, double? value)
    {
        var run = Facts.Run(40, server: Facts.Server(("GET /a", 300, 10), ("GET /b", 100, 50)));

        var actual = ThresholdMetrics.Value(run, ThresholdParser.Parse(metric + "<1"));

        (actual is null ? (double?)null : Math.Round(actual.Value, 1)).ShouldBe(value);
    }

    // A synchronous endpoint and its asynchronous twin have different names, so each session lacks what the other has.
    [Theory]
    [InlineData("name[request 1]:p(50)<60", "b", true, false)]
    [InlineData("name[request 1]:p(50)<40", "b", false, false)]
    [InlineData("name[get /sync]:blocked.avg<60", "a", true, false)]
    [InlineData("name[GET /async]:blocked.avg<1", "b", true, false)]
    [InlineData("name[GET /nowhere]:blocked.avg<60", "a b", false, true)]
    [InlineData("name[GET /sync]:pool.threads.max<9", "a b", false, true)]
    [InlineData("rps>1", "a b", true, false)]
    public void Threshold_IsJudged_WhereItsNameIs(string expression, string sessions, bool holds, bool isMissing)
    {
        var sync = Facts.Build([Facts.Tally(Enumerable.Repeat(20.0, 40))], Facts.Server(("GET /sync", 40, 50)));
        var twin = Facts.Build(
            [Facts.Tally(Enumerable.Repeat(20.0, 40)), Facts.Tally(Enumerable.Repeat(50.0, 40))], Facts.Server(("GET /async", 80, 0)));

        var compared = ComparisonBuilder.Build(
            [("a", [sync]), ("b", [twin])], [ThresholdParser.Parse(expression)], freshServer: false, interrupted: false);

        compared.Thresholds.Select(threshold => threshold.Expression).ShouldBe(sessions.Split(' ').Select(name => $"{name}: {expression}"));
        compared.Thresholds.ShouldAllBe(threshold => threshold.Holds == holds && threshold.ServerFigureMissing == isMissing);
    }

    [Fact]
    public void Threshold_OnAnEndpoint_FailsForASessionWithoutTheServersFigures()
    {
        var compared = ComparisonBuilder.Build(
            [("a", [Facts.Run(40, server: Facts.Server(("GET /a", 400, 10)))]), ("b", [Facts.Run(40)])],
            [ThresholdParser.Parse("name[GET /a]:blocked.avg<60")], freshServer: false, interrupted: false);

        compared.Thresholds.Select(threshold => threshold.ServerFigureMissing).ShouldBe([false, true]);
    }

    [Fact]
    public void Threshold_DoesNotHold_WithoutASample()
    {
        var run = ThresholdJudge.Judge(Facts.Build([new()]), [ThresholdParser.Parse("p(95)<500"), ThresholdParser.Parse("failed.rate<1")]);

        run.Thresholds.ShouldAllBe(threshold => !threshold.Holds && threshold.Actual == null && !threshold.ServerFigureMissing);
    }

    private static ComparisonResult Build(params (string Name, double[] Rates)[] sessions) => ComparisonBuilder.Build(
        [.. sessions.Select(session => (session.Name, (IReadOnlyList<RunResult>)[.. session.Rates.Select(rate => Facts.Run(rate))]))], [],
        freshServer: false, interrupted: false);
}
