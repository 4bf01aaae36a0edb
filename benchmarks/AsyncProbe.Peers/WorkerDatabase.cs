using Microsoft.EntityFrameworkCore;

namespace AsyncProbe.Peers;

/// <summary>
/// The database of one worker: on PostgreSQL if the variable <c>PEERS_POSTGRES</c> holds a connection string, otherwise a SQLite file.
/// </summary>
internal sealed class WorkerDatabase : IAsyncDisposable
{
    private static readonly string? s_postgres = Environment.GetEnvironmentVariable("PEERS_POSTGRES");
    private static readonly string s_name = $"asyncprobe-peers-{Environment.ProcessId}";

    public static string Product => s_postgres is null ? "SQLite" : "PostgreSQL";

    public static void Use(DbContextOptionsBuilder options)
    {
        if (s_postgres is null)
        {
            options.UseSqlite($"Data Source={Path.Combine(Path.GetTempPath(), s_name)}.db");
        }
        else
        {
            options.UseNpgsql($"{s_postgres};Database={s_name}");
        }
    }

    public async ValueTask DisposeAsync()
    {
        var options = new DbContextOptionsBuilder<Shop>();
        Use(options);
        await using var shop = new Shop(options.Options);
        await shop.Database.EnsureDeletedAsync();
    }
}
