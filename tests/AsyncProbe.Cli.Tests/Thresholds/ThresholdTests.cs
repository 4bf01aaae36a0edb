using AsyncProbe.Cli.Thresholds;

namespace AsyncProbe.Cli.Tests.Thresholds;

[Trait("Category", "Logic")]
public class ThresholdTests
{
    [Theory]
    [InlineData("p(95)<500", null, "p()", 95d, "<", 500)]
    [InlineData(" p(99.9) <= 1.5 ", null, "p()", 99.9, "<=", 1.5)]
    [InlineData("name[GET /a b]: p(50)>1", "GET /a b", "p()", 50d, ">", 1)]
    [InlineData("failed.rate<0.01", null, "failed.rate", null, "<", 0.01)]
    [InlineData("BLOCKED.avg<5", null, "blocked.avg", null, "<", 5)]
    [InlineData("pool.threads.max<50", null, "pool.threads.max", null, "<", 50)]
    [InlineData("fromsend.p(99)!=3", null, "fromsend.p()", 99d, "!=", 3)]
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
    [InlineData("p(95)=5")]
    [InlineData("p(95)<5ms")]
    [InlineData("p(95)<NaN")]
    [InlineData("name[x:p(95)<5")]
    [InlineData("held.p(95)<5")]
    public void Parser_RefusesWithASentence(string text) =>
        Should.Throw<FormatException>(() => ThresholdParser.Parse(text)).Message.ShouldContain($"\"{text}\"");

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
