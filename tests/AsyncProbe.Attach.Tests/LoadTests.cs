namespace AsyncProbe.Attach.Tests;

/// <summary>Tools that come and go while the application serves 64 connections.</summary>
public sealed class LoadTests
{
    private const int Connections = 64;

    // The runtime's array pools grow by up to 2 MB, most of it during the first dozen attaches.
    private const long MostBytesKept = 3_000_000;

    // The pool may have grown. The garbage collector starts its background thread once, and tiered compilation ends its own after four
    // seconds without work.
    private static readonly string[] s_changing = [".NET TP", ".NET BGC", ".NET Tiered"];

    private static readonly string[] s_paths = ["/fast", "/async"];

    [Fact]
    public Task Load_IsNotDisturbed_ByFiveAttaches() => AttachesAsync(times: 5);

    [Fact]
    [Trait("Category", "Full")]
    public Task Load_IsNotDisturbed_ByAHundredAttaches() => AttachesAsync(times: 100);

    private static async Task AttachesAsync(int times)
    {
        await using var shop = await ShopProcess.StartAsync();
        await using var load = new ShopLoad(shop.Client, Connections - 1, TimeSpan.FromMilliseconds(20), s_paths);
        await using var blocking = new ShopLoad(shop.Client, clients: 1, "/controller");

        // The first attach loads the assemblies, which stay.
        await AttachAsync(shop);
        var before = await RemainsAsync(shop);

        for (var i = 0; i < times; i++)
        {
            await AttachAsync(shop);
        }

        var after = await RemainsAsync(shop);
        load.Failures.Concat(blocking.Failures).ShouldBeEmpty();
        after.Exceptions.ShouldBe("{}");
        after.Assemblies.ShouldBe(before.Assemblies);
        after.Bytes.ShouldBeLessThan(before.Bytes + MostBytesKept);
        after.OtherThreads.ShouldBe(before.OtherThreads);
        after.Files.ShouldBe(before.Files);
    }

    private static async Task AttachAsync(ShopProcess shop)
    {
        using (var probe = new AttachedReport(shop))
        {
            await Eventually.TrueAsync(() => probe.Find("GET /fast")?.Requests > 0, () => "no request was counted");
        }

        await shop.BecomesFreeAsync();
    }

    private static async Task<Remains> RemainsAsync(ShopProcess shop)
    {
        // The last requests that the probe followed may still run.
        List<string> threads = [];
        await Eventually.TrueAsync(
            () => !(threads = ProcessFiles.Threads(shop.Pid)).Exists(IsOurs), () => string.Join(", ", threads));
        var counters = await shop.CountersAsync();
        return new(
            counters.GetProperty("exceptions").ToString(),
            string.Join(", ", counters.GetProperty("assemblies").EnumerateArray().Select(name => name.GetString()!).Where(IsOurs)),
            counters.GetProperty("memory").GetInt64(),
            string.Join(", ", threads.Where(name => !Array.Exists(s_changing, name.StartsWith)).Order()),
            string.Join('\n', ProcessFiles.Open(shop.Pid).Order()));
    }

    private static bool IsOurs(string name) => name.StartsWith("AsyncProbe", StringComparison.Ordinal);

    private sealed record Remains(string Exceptions, string Assemblies, long Bytes, string OtherThreads, string Files);
}
