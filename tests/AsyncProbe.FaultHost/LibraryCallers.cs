using System.Data.Common;
using AsyncProbe.TruthServer;
using Microsoft.Data.Sqlite;
using Microsoft.EntityFrameworkCore;

namespace AsyncProbe.FaultHost;

/// <summary>
/// Waits directly beneath a library's method that doesn't wait itself, as if optimised code had inlined the application's method in between.
/// The delegates that the library calls are methods of the core library.
/// </summary>
internal static class LibraryCallers
{
    private const int ShortMs = 30;

    private static readonly object s_gate = new();

    /// <summary>The statement that calls the library is on the stack.</summary>
    public static void InAStrategy()
    {
        using var database = SlowDatabase.Open();
        database.Database.CreateExecutionStrategy().Execute(Task.Delay(ShortMs).Wait);
    }

    /// <summary>Nothing of the application is on the stack.</summary>
    public static async Task InAFunctionAsync()
    {
        await using var connection = new SqliteConnection("Data Source=:memory:");
        await connection.OpenAsync();
        using var never = new ManualResetEvent(false);
        connection.CreateFunction<int, bool>("wait", never.WaitOne);
        await using DbCommand command = new SqliteCommand($"SELECT wait({ShortMs})", connection);
        await Task.Run(command.ExecuteScalar);
    }

    /// <summary>The library's method seems to take a lock.</summary>
    public static void AtALock()
    {
        var enter = (Action)Delegate.CreateDelegate(typeof(Action), s_gate, typeof(Monitor).GetMethod(nameof(Monitor.Enter), [typeof(object)])!);
        using var taken = new ManualResetEventSlim();
        var holder = new Thread(() =>
        {
            lock (s_gate)
            {
                taken.Set();
                Thread.Sleep(ShortMs);
            }
        });
        holder.Start();
        taken.Wait();
        using var database = SlowDatabase.Open();
        database.Database.CreateExecutionStrategy().Execute(enter);
        Monitor.Exit(s_gate);
    }
}
