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

        foreach (var route in new[] { "SyncGetFirstOfTen", "AsyncGetFirstOfTen" })
        {
            using var answer = await app.GetAsync($"/Customers/{route}");
            await answer.ShouldBeProblemAsync(503);
        }
    }

    [Fact]
    public async Task Limited_RefusesTheRest_WhenItsQueueIsFull()
    {
        await using var app = await TestApp.StartSampleAsync();
        await app.TextAsync("/backend/limited?delayMs=0");
        const int Requests = 80;
        const int Admitted = 48;
        using var stop = new CancellationTokenSource();
        var requests = Enumerable.Range(0, Requests)
            .Select(_ => app.Client.GetAsync(new Uri("/backend/limited?delayMs=5000", UriKind.Relative), stop.Token)).ToList();

        List<HttpResponseMessage> answers = [];
        await foreach (var request in Task.WhenEach(requests))
        {
            answers.Add(await request);
            if (answers.Count == Requests - Admitted)
            {
                break;
            }
        }

        // On a slow machine some of the admitted are answered before the last request arrives.
        var refused = answers.Where(answer => answer.StatusCode == HttpStatusCode.ServiceUnavailable).ToList();
        answers.Where(answer => answer.IsSuccessStatusCode).Count().ShouldBe(answers.Count - refused.Count);
        refused.ShouldNotBeEmpty();
        await refused[0].ShouldBeProblemAsync(503);
        await stop.CancelAsync();
        answers.ForEach(answer => answer.Dispose());
    }
}
