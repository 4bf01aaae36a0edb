using Microsoft.Extensions.Caching.Hybrid;
using Microsoft.Extensions.Caching.Memory;

namespace Zoo.Caching;

internal static class FrameworkCaches
{
    private static readonly MemoryCache s_memory = new(new MemoryCacheOptions());
    private static int s_keys;

    public static void Map(IEndpointRouteBuilder app)
    {
        // truth: GET /hybridcache/miss: asyncWillHelp
        app.MapGet("/hybridcache/miss", (HybridCache cache) => cache.GetOrCreateAsync(NextKey(), Load).AsTask().Result); // blocks: ValueTask, for 15 ms

        // truth: GET /hybridcache/hit: fine
        app.MapGet("/hybridcache/hit", async (HybridCache cache) => await cache.GetOrCreateAsync("hit", Load));

        // truth: GET /memorycache/miss: asyncWillHelp
        app.MapGet("/memorycache/miss", () => s_memory.GetOrCreate(NextKey(), _ =>
        {
            Thread.Sleep(15); // blocks: Sleep, for 15 ms, snapshots
            return 42;
        }));

        // truth: GET /memorycache/hit: fine
        app.MapGet("/memorycache/hit", () => s_memory.GetOrCreate("hit", _ => 42));
    }

    private static string NextKey() => $"key {Interlocked.Increment(ref s_keys)}";

    private static async ValueTask<int> Load(CancellationToken cancellation)
    {
        await Task.Delay(15, cancellation);
        return 42;
    }
}
