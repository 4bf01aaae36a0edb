using AsyncProbe.Sample.Hosting;

namespace AsyncProbe.Sample.Tests.Hosting;

/// <summary>What every visitor of the sample sees.</summary>
public sealed class SampleTests(SharedSample sample) : IClassFixture<SharedSample>
{
    [Fact]
    public async Task StartPage_LinksTheReport_WhenOpened()
    {
        var app = sample.App;
        var page = await app.TextAsync("/");
        page.ShouldContain("href=\"/_threadpool\"");
        page.ShouldContain("href=\"/swagger\"");
        page.ShouldContain($"curl -si '{app.Address}values/sleep?ms=200'");
        page.ShouldNotContain("{{");
    }

    [Fact]
    public async Task Swagger_DescribesTheRoutes_WhenOpened()
    {
        var app = sample.App;
        (await app.TextAsync("/swagger/index.html")).ShouldContain("swagger-ui");
        (await app.TextAsync("/swagger/v1/swagger.json")).ShouldContain("a pool thread is held for all of it");
    }

    [Fact]
    public async Task UnknownRoute_IsAProblem_WhenAsked()
    {
        var app = sample.App;
        using var answer = await app.GetAsync("/nothing-here");
        await answer.ShouldBeProblemAsync(404);
    }

    [Theory]
    [InlineData("1")]
    [InlineData("many")]
    [InlineData("99999")]
    public void MaxWorkerThreads_IsRefusedInASentence_WhenItIsImpossible(string workers)
    {
        var refusal = Should.Throw<SettingException>(() => SampleApp.Build([$"--Sample:MaxWorkerThreads={workers}"]));
        refusal.Message.ShouldContain($"Sample:MaxWorkerThreads is '{workers}'");
        refusal.Message.ShouldContain("32767");
    }
}
