using MySqlConnector;
using Zoo.Backends;

namespace Zoo.Data;

/// <summary>The server accepts the connection, says nothing, and closes it after a while.</summary>
internal static class MySqlConnections
{
    private static readonly string s_mySql = $"Server=127.0.0.1;Port={DeafBackend.Instance.Port};User ID=zoo;Password=zoo;Pooling=false;SslMode=None";

    public static void Map(IEndpointRouteBuilder app)
    {
        // truth: GET /mysql/down: asyncWillHelp
        app.MapGet("/mysql/down", () =>
        {
            using var connection = new MySqlConnection(s_mySql);
            try
            {
                connection.Open(); // blocks: SyncDb, for 15 ms, snapshots
                return "up";
            }
            catch (MySqlException)
            {
                return "down";
            }
        });
    }
}
