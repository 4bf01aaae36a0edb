using System.Text.Json;

namespace AsyncProbe.Sample.Tests.Jobs;

/// <summary>Jobs, timers, consumers and hubs: the request only triggers the work, and the operation is named.</summary>
public sealed class JobsTests(SharedSample sample) : IClassFixture<SharedSample>
{
    private const int Times = 3;

    // Task.Wait spins first, which can take up to 100 ms on a crowded core.
    private const int Ms = 300;

    [Theory]
    [InlineData("report", "AsyncProbe: nightly report job, blocking", "NightlyReport.Work")]
    [InlineData("prices", "AsyncProbe: price feed job, blocking", "PriceFeed.Work")]
    [InlineData("orders", "AsyncProbe: order job, blocking", "OrderConsumer.Work")]
    [InlineData("hub", "Microsoft.AspNetCore.SignalR.Server: AsyncProbe.Sample.Jobs.JobsHub/Blocks", "JobsHub.Blocks")]
    public async Task BlockingJob_IsNamedWithItsLine_AndTheRequestThatAskedIsNot(string job, string operation, string at)
    {
        var app = sample.App;
        await AskAsync($"/jobs/{job}/sync");
        var row = await app.OperationAsync(operation, Times);

        Blocked(row).ShouldBeGreaterThan(100);
        var request = await app.EndpointAsync($"GET /jobs/{job}/sync", Times);
        Blocked(request).ShouldBeLessThan(Blocked(row));

        // While it awaits the job, the request carries the hook as well, and on two cores at most two may at a time: ask until the job
        // gets one.
        List<JsonElement> waits = [];
        await Eventually.TrueAsync(
            async () =>
            {
                waits = [.. (await SitesAsync(operation)).Where(s => s.GetProperty("kind").GetString() == "Task.Wait")];
                if (waits.Count == 0)
                {
                    await AskAsync($"/jobs/{job}/sync");
                }

                return waits.Count > 0;
            },
            "no job has a site");
        var site = waits.ShouldHaveSingleItem();
        site.GetProperty("at").GetString().ShouldBe(at);
        site.GetProperty("line").GetInt32().ShouldBe(LineOfWait(at.Split('.')[0]));
        site.GetProperty("endpoints").EnumerateArray().Select(e => e.GetString()).ShouldBe([operation]);
    }

    [Theory]
    [InlineData("report", "AsyncProbe: nightly report job, awaited")]
    [InlineData("prices", "AsyncProbe: price feed job, awaited")]
    [InlineData("orders", "AsyncProbe: order job, awaited")]
    [InlineData("hub", "Microsoft.AspNetCore.SignalR.Server: AsyncProbe.Sample.Jobs.JobsHub/Awaits")]
    public async Task AwaitedJob_TakesItsTime_AndHasNoSite(string job, string operation)
    {
        await AskAsync($"/jobs/{job}/async");
        var row = await sample.App.OperationAsync(operation, Times);

        row.GetProperty("durationMs").GetProperty("max").GetDouble().ShouldBeGreaterThan(Ms - 10);
        (await SitesAsync(operation)).ShouldNotContain(
            s => s.GetProperty("kind").GetString()!.StartsWith("Task.", StringComparison.Ordinal));
    }

    [Fact]
    public async Task Sample_RunsNoJob_UntilARouteAsks()
    {
        await using var app = await TestApp.StartSampleAsync("--Sample:Upstream=false");
        await app.TextAsync("/");
        await app.EndpointAsync("GET /");

        (await app.ReportAsync()).GetProperty("operations").GetArrayLength().ShouldBe(0);
    }

    [Theory]
    [InlineData("-1")]
    [InlineData("soon")]
    [InlineData("5001")]
    public async Task Job_IsRefused_WhenItsTimeIsNone(string ms)
    {
        foreach (var job in new[] { "report", "prices", "orders", "hub" })
        {
            using var answer = await sample.App.GetAsync($"/jobs/{job}/sync?ms={ms}");
            await answer.ShouldBeProblemAsync(400);
        }
    }

    private async Task AskAsync(string route)
    {
        for (var i = 0; i < Times; i++)
        {
            (await sample.App.TextAsync($"{route}?ms={Ms}")).ShouldStartWith($$"""{"ms":{{Ms}},"tookMs":""");
        }
    }

    private async Task<List<JsonElement>> SitesAsync(string operation) =>
    [
        .. (await sample.App.ReportAsync()).GetProperty("sites").EnumerateArray()
            .Where(s => s.GetProperty("endpoints").EnumerateArray().Any(e => e.GetString() == operation)),
    ];

    private static double Blocked(JsonElement row) => row.GetProperty("blockedMs").GetProperty("total").GetDouble();

    private static int LineOfWait(string type)
    {
        var source = File.ReadAllLines(Path.Combine(Repository.Folder, "src/AsyncProbe.Sample/Jobs", type + ".cs"));
        return Array.FindIndex(source, text => text.Contains(".Wait();", StringComparison.Ordinal)) + 1;
    }
}
