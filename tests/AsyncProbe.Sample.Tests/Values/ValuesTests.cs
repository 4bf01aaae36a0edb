using System.Net;

namespace AsyncProbe.Sample.Tests.Values;

/// <summary>Sleep, delay, cached.</summary>
public sealed class ValuesTests(SharedSample sample) : IClassFixture<SharedSample>
{
    [Theory]
    [InlineData("/values/sleep?ms=0")]
    [InlineData("/values/delay?ms=0")]
    [InlineData("/values/cached?ms=0")]
    [InlineData("/values/cached?ms=0&again")]
    public async Task Values_AreTheTwoOfTheTemplate_WhenAsked(string path)
    {
        var app = sample.App;
        (await app.TextAsync(path)).ShouldBe("""["value1","value2"]""");
    }

    [Theory]
    [InlineData("-1")]
    [InlineData("abc")]
    [InlineData("999999")]
    [InlineData("1.5")]
    public async Task Values_Refuse_WhenTheMillisecondsAreNone(string ms)
    {
        var app = sample.App;
        foreach (var route in new[] { "sleep", "delay", "cached" })
        {
            using var answer = await app.GetAsync($"/values/{route}?ms={ms}");
            await answer.ShouldBeProblemAsync(400);
        }
    }

    [Fact]
    public async Task Sleep_BlocksAndDelayDoesNot_WhenBothLastAsLong()
    {
        var app = sample.App;
        for (var i = 0; i < 5; i++)
        {
            await app.TextAsync("/values/sleep?ms=1");
            await app.TextAsync("/values/delay?ms=1");
        }

        using var sleep = await app.GetAsync("/values/sleep?ms=200");

        sleep.Number("X-AsyncProbe-Blocked-Ms").ShouldBeGreaterThan(190);
        (await app.LeastBlockedAsync("/values/delay?ms=200")).ShouldBeLessThan(100);
    }

    [Fact]
    public async Task Sleep_IsNamedAtItsOwnLine_ByASnapshot()
    {
        await using var app = await TestApp.StartSampleAsync("--Sample:Upstream=false", "--AsyncProbe:StackSnapshots:Interval=00:00:01");
        var site = await Eventually.FoundAsync(
            async () =>
            {
                await app.TextAsync("/values/sleep?ms=1500");
                return (await app.ReportAsync()).GetProperty("sites").EnumerateArray()
                    .FirstOrDefault(s => s.GetProperty("kind").GetString() == "Sleep");
            },
            () => "no snapshot has seen the sleep",
            TimeSpan.FromSeconds(60));

        site.GetProperty("at").GetString().ShouldBe("ValuesController.Sleep");
        site.GetProperty("file").GetString().ShouldEndWith("ValuesController.cs");
        site.GetProperty("line").GetInt32().ShouldBeGreaterThan(0);
        site.GetProperty("sampled").GetBoolean().ShouldBeTrue();
    }

    [Fact]
    public async Task Post_ForgetsTheCachedValues_WhenItSucceeds()
    {
        var app = sample.App;
        using var first = await app.GetAsync("/values/cached?ms=1");
        using var post = await app.SendAsync("POST", "/values");
        using var second = await app.GetAsync("/values/cached?ms=1");

        post.StatusCode.ShouldBe(HttpStatusCode.NoContent);
        second.Headers.ETag.ShouldNotBe(first.Headers.ETag);
    }
}
