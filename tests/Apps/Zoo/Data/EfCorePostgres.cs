using Microsoft.EntityFrameworkCore;
using Zoo.Backends;

namespace Zoo.Data;

internal static class EfCorePostgres
{
    private static readonly DbContextOptions s_options = new DbContextOptionsBuilder().UseNpgsql(PostgresBackend.ConnectionString).Options;

    public static void Map(IEndpointRouteBuilder app)
    {
        // truth: GET /efcore/npgsql: asyncWillHelp
        app.MapGet("/efcore/npgsql", () =>
        {
            using var db = new DbContext(s_options);
            var stock = db.Database.SqlQueryRaw<int>("SELECT stock AS \"Value\" FROM goods").ToList(); // blocks: EfCore, for 15 ms
            return stock.Count;
        });

        // truth: GET /efcore/npgsql/async: alreadyAsync|fine
        app.MapGet("/efcore/npgsql/async", async () =>
        {
            await using var db = new DbContext(s_options);
            return (await db.Database.SqlQueryRaw<int>("SELECT stock AS \"Value\" FROM goods").ToListAsync()).Count;
        });
    }
}
