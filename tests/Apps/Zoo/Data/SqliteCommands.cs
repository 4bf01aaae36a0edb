using Dapper;
using Microsoft.Data.Sqlite;

namespace Zoo.Data;

internal static class SqliteCommands
{
    private static readonly string s_file = $"Data Source={Path.Combine(Path.GetTempPath(), $"zoo-{Environment.ProcessId}.db")}";
    private static readonly bool s_isCreated = Create();

    public static void Map(IEndpointRouteBuilder app)
    {
        // truth: GET /dapper/sqlite: fine
        app.MapGet("/dapper/sqlite", () =>
        {
            using var connection = Open();
            return connection.Query<int>("SELECT count(*) FROM goods").Single();
        });

        // SQLite computes on the calling thread.
        // truth: GET /sqlite/compute: cpuBound
        app.MapGet("/sqlite/compute", () =>
        {
            using var connection = Open();
            using var command = connection.CreateCommand();
            command.CommandText = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 30000) SELECT sum(i) FROM n";
            return command.ExecuteScalar();
        });

        // Others wait for the write lock. The provider sleeps between its tries.
        // truth: GET /sqlite/transaction: providerIsSynchronous, needs others, 30 times as often
        app.MapGet("/sqlite/transaction", async () =>
        {
            await using var connection = Open();
            await using var transaction = connection.BeginTransaction(); // blocks: SyncDb, snapshots
            await connection.ExecuteAsync("UPDATE goods SET stock = stock + 1"); // blocks: SyncDb, perhaps
            await Task.Delay(10);
            transaction.Commit(); // blocks: SyncDb, perhaps
            return "sold";
        });
    }

    private static SqliteConnection Open()
    {
        var connection = new SqliteConnection(s_file);
        connection.Open();
        return s_isCreated ? connection : throw new InvalidOperationException();
    }

    private static bool Create()
    {
        using var connection = new SqliteConnection(s_file);
        connection.Execute("PRAGMA journal_mode = WAL; CREATE TABLE goods(stock); INSERT INTO goods VALUES (1)");
        return true;
    }
}
