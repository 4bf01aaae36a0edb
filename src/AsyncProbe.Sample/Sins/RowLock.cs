using AsyncProbe.Sample.Database;

namespace AsyncProbe.Sample.Sins;

/// <summary>Somebody else's transaction.</summary>
internal static class RowLock
{
    /// <summary>Takes the first article's row. The inner task ends when it is given back.</summary>
    public static async Task<Task> TakeAsync(HttpContext context, int ms)
    {
        var postgres = context.RequestServices.GetRequiredService<SampleDatabase>().Postgres!;
        var connection = await postgres.OpenConnectionAsync(context.RequestAborted);
        var transaction = await connection.BeginTransactionAsync(context.RequestAborted);
        await using var command = connection.CreateCommand();
        command.CommandText = """select 1 from asyncprobe_products where "Id" = 1 for update""";
        await command.ExecuteNonQueryAsync(context.RequestAborted);
        return GiveBackAsync();

        async Task GiveBackAsync()
        {
            await Task.Delay(ms);
            await transaction.CommitAsync();
            await transaction.DisposeAsync();
            await connection.DisposeAsync();
        }
    }
}
