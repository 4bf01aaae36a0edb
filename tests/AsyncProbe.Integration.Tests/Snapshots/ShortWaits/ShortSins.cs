using System.Diagnostics;
using System.IO.Pipes;
using System.Runtime.InteropServices;
using AsyncProbe.Tests.Blocking.Catalogue;
using Microsoft.Data.Sqlite;
using Microsoft.Win32.SafeHandles;

namespace AsyncProbe.Integration.Tests.Snapshots.ShortWaits;

/// <summary>
/// Waits of milliseconds that the wait hook doesn't see, each in the line after <see cref="Here.Next"/>, and work, which isn't a wait.
/// </summary>
internal sealed partial class ShortSins : IDisposable
{
    private readonly string _folder = Directory.CreateTempSubdirectory("asyncprobe-").FullName;
    private readonly FuseFile? _fuse = FuseFile.TryMount();
    private readonly SafeFileHandle? _slowFile;
    private readonly PausedPipe _pipe = new();
    private readonly PausedPipe _mixedPipe = new();
    private readonly Lock _gate = new();
    private readonly long[] _mixed = new long[3];
    private readonly Helper _holder;
    private readonly Helper _writer;
    private readonly Thread[] _threads;
    private volatile bool _isHeld;
    private volatile Thread? _waiter;
    private volatile bool _isOver;

    public ShortSins()
    {
        Database = $"Data Source={Path.Combine(_folder, "short.db")};Pooling=False";
        Execute("PRAGMA journal_mode=DELETE; CREATE TABLE t (n INTEGER)");
        _slowFile = _fuse is null ? null : File.OpenHandle(_fuse.Path);
        _holder = new Helper(Hold);
        _writer = new Helper(() =>
        {
            Thread.Sleep(5);
            _mixedPipe.Write();
        });
        _threads = [new Thread(WritePipe) { IsBackground = true }, new Thread(LockDatabase) { IsBackground = true }];
        Array.ForEach(_threads, t => t.Start());
    }

    /// <summary>False where the test may not mount a file system.</summary>
    public bool HasSlowFile => _slowFile is not null;

    private string Database { get; }

    public static void Nap(int ms)
    {
        Here.Next();
        Thread.Sleep(ms);
    }

    public static void NativeNap()
    {
        Here.Next();
        _ = USleep(10_000);
    }

    public static void WorkAndNap()
    {
        Work();
        Nap(10);
    }

    private static void Work()
    {
        for (var watch = Stopwatch.StartNew(); watch.ElapsedMilliseconds < 20;)
        {
            Thread.SpinWait(1000);
        }
    }

    public void ReadPipe()
    {
        Here.Next();
        _pipe.Reader.ReadByte();
    }

    public void ReadSlowFile()
    {
        var buffer = new byte[1];
        Here.Next();
        RandomAccess.Read(_slowFile!, buffer, fileOffset: 0);
    }

    public void WriteToLockedDatabase()
    {
        using var connection = new SqliteConnection(Database);
        connection.Open();
        using var command = connection.CreateCommand();
        command.CommandText = "INSERT INTO t VALUES (1)";
        Here.Next();
        command.ExecuteNonQuery();
    }

    /// <summary>Sleeps, waits for a lock and reads, and records how long each blocked according to the thread's clock.</summary>
    public void Mixed(IAsyncProbeFeature request)
    {
        var before = request.Blocked!.Value;
        Here.Next("Mixed1");
        Thread.Sleep(10);
        before = Note(0, request, before);
        _waiter = Thread.CurrentThread;
        _holder.Begin();
        Eventually.Spin(() => _isHeld);
        Here.Next("Mixed2");
        _gate.Enter();
        _gate.Exit();
        before = Note(1, request, before);
        _writer.Begin();
        Here.Next("Mixed3");
        _mixedPipe.Reader.ReadByte();
        Note(2, request, before);
    }

    /// <summary>The share of a part in the blocked time of the mixed requests so far.</summary>
    public double MixedShare(int part) => (double)Volatile.Read(ref _mixed[part - 1]) / _mixed.Sum();

    private TimeSpan Note(int part, IAsyncProbeFeature request, TimeSpan before)
    {
        var blocked = request.Blocked!.Value;
        Interlocked.Add(ref _mixed[part], (blocked - before).Ticks);
        return blocked;
    }

    public void Dispose()
    {
        _isOver = true;
        Array.ForEach(_threads, t => t.Join());
        _holder.Dispose();
        _writer.Dispose();
        _pipe.Dispose();
        _mixedPipe.Dispose();
        _slowFile?.Dispose();
        _fuse?.Dispose();
        Directory.Delete(_folder, recursive: true);
    }

    // A thread that is late on a crowded machine waits all the same.
    private void Hold()
    {
        lock (_gate)
        {
            _isHeld = true;
            Eventually.Spin(() => _waiter!.ThreadState.HasFlag(System.Threading.ThreadState.WaitSleepJoin));
            Thread.Sleep(10);
            _isHeld = false;
        }
    }

    private void WritePipe()
    {
        while (!_isOver)
        {
            Thread.Sleep(10);
            _pipe.Write();
        }
    }

    // A request that finds the database locked sleeps and tries again, inside the provider.
    private void LockDatabase()
    {
        while (!_isOver)
        {
            Execute("BEGIN IMMEDIATE; INSERT INTO t VALUES (2)", TimeSpan.FromMilliseconds(300), "ROLLBACK");
            Thread.Sleep(20);
        }
    }

    private void Execute(string first, TimeSpan pause = default, string? then = null)
    {
        using var connection = new SqliteConnection(Database);
        connection.Open();
        using var command = connection.CreateCommand();
        command.CommandText = first;
        command.ExecuteNonQuery();
        Thread.Sleep(pause);
        if (then is not null)
        {
            command.CommandText = then;
            command.ExecuteNonQuery();
        }
    }

    [LibraryImport("libc", EntryPoint = "usleep")]
    private static partial int USleep(uint microseconds);

    /// <summary>A pipe of this process that is read without await.</summary>
    private sealed class PausedPipe : IDisposable
    {
        private readonly AnonymousPipeClientStream _writer;

        public PausedPipe() => _writer = new AnonymousPipeClientStream(PipeDirection.Out, Reader.ClientSafePipeHandle);

        public AnonymousPipeServerStream Reader { get; } = new(PipeDirection.In);

        public void Write()
        {
            try
            {
                _writer.WriteByte(1);
            }
            catch (Exception e) when (e is IOException or ObjectDisposedException)
            {
                // The test is over.
            }
        }

        public void Dispose()
        {
            _writer.Dispose();
            Reader.Dispose();
        }
    }

    /// <summary>A thread that runs its job each time it is asked to.</summary>
    private sealed class Helper : IDisposable
    {
        private readonly SemaphoreSlim _asked = new(0);
        private readonly Action _job;
        private volatile bool _isOver;

        public Helper(Action job)
        {
            _job = job;
            new Thread(Run) { IsBackground = true }.Start();
        }

        public void Begin() => _asked.Release();

        public void Dispose()
        {
            _isOver = true;
            _asked.Release();
        }

        private void Run()
        {
            for (_asked.Wait(); !_isOver; _asked.Wait())
            {
                _job();
            }
        }
    }
}
