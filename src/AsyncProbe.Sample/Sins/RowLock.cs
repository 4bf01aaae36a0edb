using System.Diagnostics;
using AsyncProbe.Sample.Database;
using Npgsql;

namespace AsyncProbe.Sample.Sins;

/// <summary>Another transaction.</summary>
internal static class RowLock
{
    private const string Take = """select 1 from asyncprobe_products where "Id" = 1 for update""";
    private const string IsWaitedFor = "select exists (select from pg_locks where not granted and pg_backend_pid() = any "
        + "(pg_blocking_pids(pid)))";
    private static readonly TimeSpan Pause = TimeSpan.FromMilliseconds(10);
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(5);

    /// <summary>
    /// Locks the first article's row. The inner task completes when the row is released, which is that long after another transaction has
    /// begun to wait: a new process may need longer to prepare its first statement than the whole wait takes.
    /// </summary>
    public static async Task<Task> TakeAsync(HttpContext context, int ms)
    {
        var postgres = context.RequestServices.GetRequiredService<SampleDatabase>().Postgres!;
        var connection = await postgres.OpenConnectionAsync(context.RequestAborted);
        var transaction = await connection.BeginTransactionAsync(context.RequestAborted);
        await using var command = connection.CreateCommand();
        command.CommandText = Take;
        await command.ExecuteNonQueryAsync(context.RequestAborted);
        return GiveBackAsync();

        async Task GiveBackAsync()
        {
            await SomebodyWaitsAsync(connection);
            await Task.Delay(ms);
            await transaction.CommitAsync();
            await transaction.DisposeAsync();
            await connection.DisposeAsync();
        }
    }

    private static async Task SomebodyWaitsAsync(NpgsqlConnection connection)
    {
        await using var command = connection.CreateCommand();
        command.CommandText = IsWaitedFor;
        var asking = Stopwatch.StartNew();
        while (asking.Elapsed < Patience && await command.ExecuteScalarAsync() is not true)
        {
            await Task.Delay(Pause);
        }
    }
}
