namespace AsyncProbe.Attach.Tests;

/// <summary>After the probe has left, the process holds none of its objects.</summary>
public sealed class RemainsTests
{
    private const int Connections = 100;
    private const int Timers = 10;
    private const string Request = "AsyncProbe.Requests.RequestProbe";
    private const string Totals = "AsyncProbe.Requests.Counts.EndpointTotals";

    // Only caches of the loaded code may stay, and one slot for each thread.
    private static readonly string[] s_ofProbe =
    [
        "AsyncProbe.Attach.AttachedProbe", "AsyncProbe.Pool.Diagnosis.PoolMonitor", "AsyncProbe.Requests.Endpoints.EndpointTable",
        Totals,
    ];

    private static readonly string[] s_ofRequests = [Request, "AsyncProbe.Accounting.RequestLife", "AsyncProbe.Attach.AttachedRequest"];

    [Fact]
    public async Task NothingOfTheProbe_IsReachable_AfterDetaching()
    {
        await using var shop = await ShopProcess.StartAsync();
        using (var probe = new AttachedReport(shop))
        {
            await SendAsync(shop, "/async");
            await probe.CountedAsync("GET /async", Connections);
            s_ofProbe.ShouldBeSubsetOf((await HeapOf.ProcessAsync(shop.Pid)).Keys);
        }

        await shop.BecomesFreeAsync();

        // The connections are still open.
        await SendAsync(shop, "/fast");
        await LosesAllAsync(shop, [.. s_ofProbe, .. s_ofRequests]);
        var counters = await shop.CountersAsync();
        counters.GetProperty("followed").GetBoolean().ShouldBeFalse();
        counters.GetProperty("exceptions").ToString().ShouldBe("{}");
    }

    [Fact]
    public async Task TimersOfTheApplication_KeepOnlyTheirRequests_AfterDetaching()
    {
        await using var shop = await ShopProcess.StartAsync();
        using (var probe = new AttachedReport(shop))
        {
            await Task.WhenAll(Enumerable.Range(0, Timers).Select(_ => shop.TextAsync("/timer")));
            await probe.CountedAsync("GET /timer", Timers);
        }

        await shop.BecomesFreeAsync();

        // A request knows its endpoint.
        await LosesAllAsync(shop, [.. s_ofProbe.Concat(s_ofRequests).Except([Request, Totals])]);
        (await HeapOf.ProcessAsync(shop.Pid))[Request].ShouldBe(Timers);
        var ticks = await TicksAsync(shop);
        await Eventually.TrueAsync(async () => await TicksAsync(shop) > ticks + Timers, () => "the timers have stopped");
    }

    // Reading the counters collects the garbage. Objects that finalizers free are gone only after the next collections.
    private static Task LosesAllAsync(ShopProcess shop, string[] types)
    {
        string[] left = [];
        return Eventually.TrueAsync(
            async () =>
            {
                await shop.CountersAsync();
                left = [.. types.Intersect((await HeapOf.ProcessAsync(shop.Pid)).Keys)];
                return left.Length == 0;
            },
            () => string.Join(", ", left));
    }

    // All at once, so that each request has its own connection, which stays open.
    private static Task<string[]> SendAsync(ShopProcess shop, string path) =>
        Task.WhenAll(Enumerable.Range(0, Connections).Select(_ => shop.TextAsync(path)));

    private static async Task<long> TicksAsync(ShopProcess shop) => (await shop.CountersAsync()).GetProperty("ticks").GetInt64();
}
