using ZiggyCreatures.Caching.Fusion;

namespace Zoo.Caching;

internal static class FusionCaches
{
    private static readonly FusionCache s_cache = new(new FusionCacheOptions());
    private static int s_keys;

    public static void Map(IEndpointRouteBuilder app)
    {
        // truth: GET /fusioncache/miss: asyncWillHelp
        app.MapGet("/fusioncache/miss", () => s_cache.GetOrSet(
            $"miss {Interlocked.Increment(ref s_keys)}",
            _ => Load().Result)); // blocks: Task.Result, for 15 ms

        // truth: GET /fusioncache/hit: fine
        app.MapGet("/fusioncache/hit", () => s_cache.GetOrSet("hit", _ => 42));

        // truth: GET /fusioncache/async: alreadyAsync|fine
        app.MapGet("/fusioncache/async", async () => await s_cache.GetOrSetAsync<int>(
            $"async {Interlocked.Increment(ref s_keys)}", async _ => await Load()));
    }

    private static async Task<int> Load()
    {
        await Task.Delay(15);
        return 42;
    }
}
