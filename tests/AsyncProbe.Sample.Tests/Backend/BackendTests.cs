using System.Net;

namespace AsyncProbe.Sample.Tests.Backend;

/// <summary>Requests that wait for another service.</summary>
public sealed class BackendTests(SharedSample sample) : IClassFixture<SharedSample>
{
    [Fact]
    public async Task Backend_BlocksOnlyWhenSynchronous_WhenTheOtherTakesItsTime()
    {
        await using var app = await TestApp.StartSampleAsync();
        await app.TextAsync("/backend/sync?delayMs=0");
        await app.TextAsync("/backend/async?delayMs=0");
        using var sync = await app.GetAsync("/backend/sync?delayMs=200");
        using var awaited = await app.GetAsync("/backend/async?delayMs=200");

        sync.Number("X-AsyncProbe-Blocked-Ms").ShouldBeGreaterThan(100);
        (await app.LeastBlockedAsync("/backend/async?delayMs=200")).ShouldBeLessThan(100);
        (await awaited.Content.ReadAsStringAsync()).ShouldStartWith("""{"delayMs":200,"tookMs":""");
    }

    [Theory]
    [InlineData("-1")]
    [InlineData("abc")]
    [InlineData("5001")]
    public async Task Backend_Refuses_WhenTheDelayIsNone(string delay)
    {
        var app = sample.App;
        foreach (var route in new[] { "sync", "async", "limited" })
        {
            using var answer = await app.GetAsync($"/backend/{route}?delayMs={delay}");
            await answer.ShouldBeProblemAsync(400);
        }
    }

    [Fact]
    public async Task Backend_IsUnavailable_WhenThereIsNoUpstream()
    {
        var app = sample.App;
        foreach (var route in new[] { "sync", "async", "limited" })
        {
            using var answer = await app.GetAsync($"/backend/{route}");
            await answer.ShouldBeProblemAsync(503);
        }
    }

    [Fact]
    public async Task Limited_RefusesTheRest_WhenItsQueueIsFull()
    {
        await using var app = await TestApp.StartSampleAsync();
        await app.TextAsync("/backend/limited?delayMs=0");

        var answers = await Task.WhenAll(Enumerable.Range(0, 80).Select(_ => app.GetAsync("/backend/limited?delayMs=3000")))
            .WaitAsync(TestApp.Timeout);

        answers.Count(answer => answer.StatusCode == HttpStatusCode.ServiceUnavailable).ShouldBeGreaterThan(0);
        answers.Count(answer => answer.IsSuccessStatusCode).ShouldBeGreaterThanOrEqualTo(48);
        await answers.First(answer => !answer.IsSuccessStatusCode).ShouldBeProblemAsync(503);
        foreach (var answer in answers)
        {
            answer.Dispose();
        }
    }
}
