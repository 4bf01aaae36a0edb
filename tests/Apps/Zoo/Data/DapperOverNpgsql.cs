using Dapper;
using Npgsql;
using Zoo.Backends;

namespace Zoo.Data;

internal static class DapperOverNpgsql
{
    private static readonly NpgsqlDataSource s_source = NpgsqlDataSource.Create(PostgresBackend.ConnectionString);

    public static void Map(IEndpointRouteBuilder app)
    {
        // truth: GET /npgsql/command: asyncWillHelp
        app.MapGet("/npgsql/command", () =>
        {
            using var connection = s_source.OpenConnection(); // blocks: SyncDb, perhaps
            using var command = connection.CreateCommand();
            command.CommandText = "SELECT stock FROM goods";
            return command.ExecuteScalar(); // blocks: SyncDb, for 15 ms
        });

        // truth: GET /npgsql/async: alreadyAsync|fine
        app.MapGet("/npgsql/async", async () =>
        {
            await using var connection = await s_source.OpenConnectionAsync();
            await using var command = connection.CreateCommand();
            command.CommandText = "SELECT stock FROM goods";
            return await command.ExecuteScalarAsync();
        });

        // truth: GET /dapper/npgsql: asyncWillHelp
        app.MapGet("/dapper/npgsql", () =>
        {
            using var connection = s_source.CreateConnection();
            var stock = connection.Query<int>("SELECT stock FROM goods").ToList(); // blocks: SyncDb, for 15 ms
            return stock.Count;
        });

        // truth: GET /dapper/npgsql/async: alreadyAsync|fine
        app.MapGet("/dapper/npgsql/async", async () =>
        {
            await using var connection = s_source.CreateConnection();
            return (await connection.QueryAsync<int>("SELECT stock FROM goods")).Count();
        });
    }
}
