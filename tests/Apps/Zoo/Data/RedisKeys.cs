using StackExchange.Redis;
using Zoo.Backends;

namespace Zoo.Data;

internal static class RedisKeys
{
    // A synchronous command needs a pool thread for its answer. In a crowd it may not get one within the usual 5 s.
    private static readonly string s_server = $"127.0.0.1:{RedisBackend.Instance.Port},abortConnect=false,syncTimeout=120000";

    private static readonly Lazy<ConnectionMultiplexer> s_redis =
        new(() => ConnectionMultiplexer.Connect(s_server)); // blocks: Task.Wait, in RedisKeys.cctor, from /redis, perhaps

    public static void Map(IEndpointRouteBuilder app)
    {
        // A slow server answers one command after the other on the only connection.
        // truth: GET /redis: asyncWillHelp
        app.MapGet("/redis", () =>
        {
            var database = s_redis.Value.GetDatabase(); // blocks: Lock, perhaps
            return (string?)database.StringGet("stock"); // blocks: Monitor.Wait, for 15 ms; Lock, by StackExchange.Redis, perhaps
        });

        // truth: GET /redis/async: alreadyAsync|fine
        app.MapGet("/redis/async", async () => (string?)await s_redis.Value.GetDatabase().StringGetAsync("stock")); // blocks: Lock, by StackExchange.Redis, perhaps
    }
}
