using AsyncProbe.Cli.Options;
using AsyncProbe.Cli.Thresholds;

namespace AsyncProbe.Cli.Tests.Thresholds;

[Trait("Category", "Logic")]
[Trait("Category", ApprovedTexts.Category)]
public class ThresholdTests
{
    [Theory]
    [InlineData("p(95)<500", null, "p(N)", 95d, "<", 500)]
    [InlineData(" p(99.9) <= 1.5 ", null, "p(N)", 99.9, "<=", 1.5)]
    [InlineData("name[GET /a b]: p(50)>1", "GET /a b", "p(N)", 50d, ">", 1)]
    [InlineData("failed.rate<0.01", null, "failed.rate", null, "<", 0.01)]
    [InlineData("BLOCKED.avg<5", null, "blocked.avg", null, "<", 5)]
    [InlineData("pool.threads.max<50", null, "pool.threads.max", null, "<", 50)]
    [InlineData("fromsend.p(99)!=3", null, "fromsend.p(N)", 99d, "!=", 3)]
    public void Parser_Reads(string text, string? name, string metric, double? percent, string comparison, double limit)
    {
        var threshold = ThresholdParser.Parse(text);

        (threshold.Name, threshold.Metric, threshold.Percent, threshold.Operator, threshold.Limit).ShouldBe(
            (name, metric, percent, comparison, limit));
    }

    [Theory]
    [InlineData("")]
    [InlineData("p95<5")]
    [InlineData("p(0)<5")]
    [InlineData("p()<5")]
    [InlineData("fromSend.p()<5")]
    [InlineData("p(N)<5")]
    [InlineData("p(95)=5")]
    [InlineData("p(95)<5ms")]
    [InlineData("p(95)<NaN")]
    [InlineData("name[x:p(95)<5")]
    [InlineData("held.p(95)<5")]
    public void Parser_RefusesWithASentence(string text) =>
        Should.Throw<FormatException>(() => ThresholdParser.Parse(text)).Message.ShouldContain($"\"{text}\"");

    [Fact]
    public void Parser_SaysWhatIsWrong()
    {
        var texts = new ApprovedTexts("AsyncProbe.Cli.Tests/Thresholds/Thresholds");
        foreach (var text in (string[])["p95", "p(0)<5", "p(100.5)<5", " p95 <5", "hold.avg<5", "other<5", "max<5ms", "max<1e999"])
        {
            texts.Add($"--threshold \"{text}\"", Should.Throw<FormatException>(() => ThresholdParser.Parse(text, Suggestion.Nearest)).Message);
        }

        texts.Add("all metrics", string.Join('\n', ThresholdMetrics.All));
        texts.ShouldBeApproved();
    }

    [Fact]
    public void Percentile_MayBeTheHighest() => ThresholdParser.Parse("p ( 100 ) < 5").Percent.ShouldBe(100);

    [Fact]
    public void Name_MayBeWrittenInCapitals() => ThresholdParser.Parse("NAME[x]:max<5").Name.ShouldBe("x");

    [Theory]
    [InlineData("failed.rate<1", null)]
    [InlineData("late.rate<1", null)]
    [InlineData("rps<1", "a second")]
    [InlineData("requests<1", "requests")]
    [InlineData("failed.count<1", "requests")]
    [InlineData("late.count<1", "requests")]
    [InlineData("unanswered<1", "requests")]
    [InlineData("pool.threads.max<1", "threads")]
    [InlineData("pool.blockedthreads.max<1", "threads")]
    [InlineData("pool.pending.max<1", "work items")]
    [InlineData("pool.queuedelay.max<1", "ms")]
    [InlineData("sites.new<1", "new")]
    [InlineData("p(95)<1", "ms")]
    public void Figure_HasItsUnit(string text, string? unit) => ThresholdParser.Parse(text).Unit.ShouldBe(unit);

    [Fact]
    public void EveryMetric_IsInTheGrammar()
    {
        var grammar = Threshold.Grammar;

        foreach (var metric in ThresholdMetrics.All)
        {
            foreach (var part in metric.Replace("(N)", "(", StringComparison.Ordinal).Split('.'))
            {
                grammar.ShouldContain(part);
            }
        }
    }
}
