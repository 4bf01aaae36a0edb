using System.Collections.Concurrent;
using System.Diagnostics.CodeAnalysis;
using Microsoft.Data.Sqlite;
using Microsoft.EntityFrameworkCore;

namespace AsyncProbe.TruthServer;

/// <summary>
/// A database whose <c>SELECT wait(20)</c> takes 20 ms, as if it read a slow disk, in a provider that is synchronous inside. Each is in
/// memory and has only one user, so none waits for another.
/// </summary>
[SuppressMessage("Usage", "CA2215", Justification = "It is given back, and used again.")]
[SuppressMessage("Design", "CA1816", Justification = "As above.")]
public sealed class SlowDatabase : DbContext
{
    private const int Stock = 40;

    // Creating one takes locks inside the libraries.
    private static readonly ConcurrentBag<SlowDatabase> s_stock = [];

    private SlowDatabase(DbContextOptions options)
        : base(options)
    {
    }

    public static SlowDatabase Open() => s_stock.TryTake(out var database) ? database : Make();

    /// <summary>The first command of a process spends a second on compiling.</summary>
    public static async Task WarmAsync()
    {
        for (var i = 0; i < Stock; i++)
        {
            var made = Make();
            _ = made.Database.ExecuteSqlRaw("SELECT wait(0)");
            _ = await made.Database.ExecuteSqlRawAsync("SELECT wait(0)");
            s_stock.Add(made);
        }
    }

    public override void Dispose() => s_stock.Add(this);

    public override ValueTask DisposeAsync()
    {
        Dispose();
        return ValueTask.CompletedTask;
    }

    private static SlowDatabase Make()
    {
        var connection = new SqliteConnection("Data Source=:memory:");
        connection.Open();
        connection.CreateFunction("wait", (int ms) =>
        {
            Native.Sleep(ms);
            return 1;
        });

        // Otherwise a context remembers for a second that nothing listens to its commands, and these run before the server has started.
        return new SlowDatabase(
            new DbContextOptionsBuilder<SlowDatabase>().UseSqlite(connection).ConfigureLoggingCacheTime(TimeSpan.Zero).Options);
    }
}
