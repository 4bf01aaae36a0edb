using System.Data.SQLite;
using LinqToDB;
using LinqToDB.Data;
using LinqToDB.DataProvider.SQLite;

namespace Zoo.Data;

internal static class OtherSqlite
{
    private static readonly DataOptions s_options = new DataOptions().UseSQLite("Data Source=:memory:", SQLiteProvider.Microsoft);

    public static void Map(IEndpointRouteBuilder app)
    {
        // truth: GET /linq2db: fine|cpuBound
        app.MapGet("/linq2db", () =>
        {
            using var db = new DataConnection(s_options);
            return db.Query<int>("SELECT 42").Single();
        });

        // SQLite computes on the calling thread. Connections come from the provider's pool, which has a lock.
        // truth: GET /systemdatasqlite: cpuBound
        app.MapGet("/systemdatasqlite", () =>
        {
            using var connection = new SQLiteConnection("Data Source=:memory:"); // blocks: Lock, by System.Data.SQLite, perhaps
            connection.Open(); // blocks: Lock, by System.Data.SQLite, perhaps
            using var command = new SQLiteCommand(
                "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 30000) SELECT sum(i) FROM n", connection);
            return command.ExecuteScalar(); // blocks: Lock, by System.Data.SQLite, perhaps
        });
    }
}
