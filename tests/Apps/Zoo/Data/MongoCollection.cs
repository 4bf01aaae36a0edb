using MongoDB.Bson;
using MongoDB.Driver;
using Zoo.Backends;

namespace Zoo.Data;

internal static class MongoCollection
{
    private static readonly IMongoCollection<BsonDocument> s_goods =
        new MongoClient($"mongodb://127.0.0.1:{DeafBackend.Instance.Port}/?serverSelectionTimeoutMS=25")
            .GetDatabase("zoo").GetCollection<BsonDocument>("goods");

    public static void Map(IEndpointRouteBuilder app)
    {
        // No server is selected in time.
        // truth: GET /mongodb/down: asyncWillHelp
        app.MapGet("/mongodb/down", () =>
        {
            try
            {
                return s_goods.CountDocuments(FilterDefinition<BsonDocument>.Empty); // blocks: Task.Wait, for 20 ms
            }
            catch (TimeoutException)
            {
                return -1;
            }
        });
    }
}
