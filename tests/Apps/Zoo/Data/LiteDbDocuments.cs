using LiteDB;

namespace Zoo.Data;

internal static class LiteDbDocuments
{
    private static readonly LiteDatabase s_database = new(new MemoryStream());

    public static void Map(IEndpointRouteBuilder app)
    {
        // truth: GET /litedb: fine|cpuBound|lockContention, libraries
        app.MapGet("/litedb", () =>
        {
            var goods = s_database.GetCollection<Good>("goods");
            goods.Upsert(new Good { Id = 1, Stock = 42 }); // blocks: Lock, perhaps, by LiteDB
            return goods.FindById(1).Stock; // blocks: Lock, perhaps, by LiteDB
        });
    }

    internal sealed class Good
    {
        public int Id { get; set; }

        public int Stock { get; set; }
    }
}
