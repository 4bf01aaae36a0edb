using System.Data.Common;
using System.IO.Pipes;
using System.Text;
using System.Text.Json;
using AsyncProbe.TruthServer;
using Microsoft.Data.Sqlite;
using Microsoft.EntityFrameworkCore;
using Microsoft.EntityFrameworkCore.Storage;

namespace AsyncProbe.FaultHost;

/// <summary>
/// Waits directly beneath a library's method that doesn't wait itself, as if optimised code had inlined the application's method in between.
/// The delegates that the library calls are methods of the core library.
/// </summary>
internal static class LibraryCallers
{
    private const int ShortMs = 30;

    // Long enough for a snapshot.
    private const int LongMs = 300;

    private static readonly object s_gate = new();

    /// <summary>The statement that calls the library is on the stack.</summary>
    public static void InAStrategy()
    {
        using var database = SlowDatabase.Open();
        new OwnStrategy(database).Execute(Task.Delay(ShortMs).Wait);
    }

    /// <summary>The application also has a type with the method that the library calls.</summary>
    public static void InAnEnumerator()
    {
        using var database = SlowDatabase.Open();
        database.AddRange(NoneAsync().ToBlockingEnumerable());

        static async IAsyncEnumerable<object> NoneAsync()
        {
            await Task.Delay(ShortMs);
            yield break;
        }
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

    /// <summary>The runtime takes the lock.</summary>
    public static void AtASynchronizedWriter()
    {
        using var taken = new ManualResetEventSlim();
        using var writer = TextWriter.Synchronized(new SlowWriter(taken));
        new Thread(() => writer.WriteLine()).Start();
        taken.Wait();
        writer.WriteLine();
    }

    /// <summary>Only a snapshot sees it.</summary>
    public static void AtAPipe()
    {
        using var pipe = new AnonymousPipeServerStream(PipeDirection.In);
        using var reader = new StreamReader(pipe);
        using var end = new AnonymousPipeClientStream(PipeDirection.Out, pipe.ClientSafePipeHandle);
        using var later = new Timer(_ => end.Write("line\n"u8), null, LongMs, Timeout.Infinite);
        _ = reader.ReadLine();
    }

    /// <summary>The serializer calls a small getter.</summary>
    public static void InAGetter() => JsonSerializer.Serialize(new Slow());

    private sealed class Slow
    {
        private readonly int _milliseconds = LongMs;

        public int Milliseconds
        {
            get
            {
                Thread.Sleep(_milliseconds);
                return _milliseconds;
            }
        }
    }

    private sealed class SlowWriter(ManualResetEventSlim taken) : TextWriter
    {
        public override Encoding Encoding => Encoding.UTF8;

        public override void WriteLine()
        {
            taken.Set();
            Thread.Sleep(ShortMs);
        }
    }

    private sealed class OwnStrategy(DbContext context) : ExecutionStrategy(context, 1, TimeSpan.Zero)
    {
        protected override bool ShouldRetryOn(Exception exception) => false;
    }
}
