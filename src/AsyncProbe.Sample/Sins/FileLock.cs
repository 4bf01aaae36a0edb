using AsyncProbe.Sample.Database;
using Microsoft.Data.Sqlite;

namespace AsyncProbe.Sample.Sins;

/// <summary>Another writer of SQLite's file. SQLite allows one writer at a time.</summary>
internal static class FileLock
{
    /// <summary>Locks the file for that time. The task completes when the lock is released.</summary>
    public static Task Take(HttpContext context, int ms)
    {
        var isFree = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        var connection = new SqliteConnection(context.RequestServices.GetRequiredService<SampleDatabase>().Sqlite);
        Holder.Hold(ms, Take, GiveBack);
        return isFree.Task;

        void Take()
        {
            connection.Open();
            Execute("begin immediate");
        }

        void GiveBack()
        {
            Execute("commit");
            connection.Dispose();
            isFree.SetResult();
        }

        void Execute(string text)
        {
            using var command = connection.CreateCommand();
            command.CommandText = text;
            command.ExecuteNonQuery();
        }
    }
}
