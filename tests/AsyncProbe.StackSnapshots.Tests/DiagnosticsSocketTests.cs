using System.Diagnostics;
using System.Net.Sockets;
using AsyncProbe.StackSnapshots.Runtimes;
using AsyncProbe.StackSnapshots.Trace;
using AsyncProbe.Tests;
using Microsoft.AspNetCore.Builder;

namespace AsyncProbe.StackSnapshots.Tests;

/// <summary>Any user can write to the folder of diagnostics sockets, so nothing that comes from one can be trusted.</summary>
public sealed class DiagnosticsSocketTests
{
    [Fact]
    public void OwnSocket_IsThere() => File.Exists(DiagnosticsSocket.Own).ShouldBeTrue(DiagnosticsSocket.Own);

    [Fact]
    public async Task PlantedSocket_IsNotAsked()
    {
        var path = Path.Combine(Path.GetTempPath(), $"dotnet-diagnostic-{Environment.ProcessId}-99999999999-socket");
        using var planted = new Socket(AddressFamily.Unix, SocketType.Stream, ProtocolType.Unspecified);
        planted.Bind(new UnixDomainSocketEndPoint(path));
        try
        {
            planted.Listen();
            using var end = new ManualResetEventSlim();
            await using var app = await SnapshotApp.StartAsync(
                a => a.MapGet("/held", () => Sleeper.UntilSet(end)), configure: b => b.Configuration["AsyncProbe:Detection"] = "Off");
            var held = app.GetAsync("/held");

            await app.Client.FindAsync("GET /held");
            end.Set();
            (await held).Dispose();

            planted.Poll(0, SelectMode.SelectRead).ShouldBeFalse("the planted socket was asked");
        }
        finally
        {
            File.Delete(path);
        }
    }

    [Fact]
    public void Runtime_Answers() => RuntimeServer.EnsureAnswers(DiagnosticsSocket.Address, ProbedApp.Timeout);

    [Fact]
    public async Task Socket_IsGivenUp_WhenItAcceptsNothingAndItsQueueIsFull()
    {
        using var planted = new PlantedSocket(backlog: 0);
        List<Socket> queue = [];
        try
        {
            while (planted.TryConnect() is { } waiting)
            {
                queue.Add(waiting);
            }

            queue.ShouldNotBeEmpty();
            await AssertIsGivenUpAsync(planted.Path, "does not answer");
        }
        finally
        {
            queue.ForEach(s => s.Dispose());
        }
    }

    [Fact]
    public async Task Socket_IsGivenUp_WhenItAcceptsAndNeverAnswers()
    {
        // The socket has this process's name, so it looks like a runtime whose thread is busy.
        using var planted = new PlantedSocket(backlog: 10);

        await AssertIsGivenUpAsync(planted.Path, "does not answer");

        planted.Socket.Poll(0, SelectMode.SelectRead).ShouldBeTrue("it was not asked");
    }

    [Fact]
    public async Task Socket_IsNotAsked_WhenAnotherProcessListens()
    {
        var path = Path.Combine(Path.GetTempPath(), $"asyncprobe-{Guid.NewGuid():N}");
        using var other = Process.Start(
            new ProcessStartInfo(
                "dotnet",
                [Path.Combine(AppContext.BaseDirectory, "AsyncProbe.TestServer.dll"), "listen", path]) { RedirectStandardOutput = true })!;
        try
        {
            (await other.StandardOutput.ReadLineAsync().WaitAsync(ProbedApp.Timeout)).ShouldBe("listening");

            await AssertIsGivenUpAsync(path, $"another process (number {other.Id})");

            (await other.StandardOutput.ReadToEndAsync().WaitAsync(ProbedApp.Timeout)).Trim().ShouldBe("received");
        }
        finally
        {
            other.Kill();
            File.Delete(path);
        }
    }

    private static async Task AssertIsGivenUpAsync(string path, string reason) =>
        (await Should.ThrowAsync<IOException>(
            Task.Factory.StartNew(
                    () => RuntimeServer.EnsureAnswers(new(Environment.ProcessId, path), TimeSpan.FromMilliseconds(200)),
                    TaskCreationOptions.LongRunning)
                .WaitAsync(ProbedApp.Timeout)))
        .Message.ShouldContain(reason);

    [Fact]
    public void EndlessStream_IsGivenUp_AfterSoManyBytes()
    {
        using var stream = new EndlessTrace();
        using var reader = new NettraceReader(stream, new Nobody(), 1_000_000, TimeSpan.FromMinutes(1));

        Should.Throw<InvalidDataException>(reader.Read).Message.ShouldContain("more than 1000000 bytes");

        reader.Position.ShouldBeLessThanOrEqualTo(1_000_000);
    }

    [Fact]
    public void EndlessStream_IsGivenUp_AfterSomeTime()
    {
        using var stream = new EndlessTrace();
        using var reader = new NettraceReader(stream, new Nobody(), long.MaxValue, TimeSpan.FromMilliseconds(50));

        Should.Throw<InvalidDataException>(reader.Read).Message.ShouldContain("lasts longer than 0.05 s");
    }

    /// <summary>Listens but accepts no connection.</summary>
    private sealed class PlantedSocket : IDisposable
    {
        public PlantedSocket(int backlog)
        {
            Socket.Bind(new UnixDomainSocketEndPoint(Path));
            Socket.Listen(backlog);
        }

        public string Path { get; } = System.IO.Path.Combine(System.IO.Path.GetTempPath(), $"asyncprobe-{Guid.NewGuid():N}");

        public Socket Socket { get; } = new(AddressFamily.Unix, SocketType.Stream, ProtocolType.Unspecified);

        /// <summary>Returns null if no more connections may wait.</summary>
        public Socket? TryConnect()
        {
            var client = new Socket(AddressFamily.Unix, SocketType.Stream, ProtocolType.Unspecified) { Blocking = false };
            try
            {
                client.Connect(new UnixDomainSocketEndPoint(Path));
                return client;
            }
            catch (SocketException)
            {
                client.Dispose();
                return null;
            }
        }

        public void Dispose()
        {
            Socket.Dispose();
            File.Delete(Path);
        }
    }

    private sealed class Nobody : IEventSink
    {
        public void OnEvent(EventKind kind, long threadId, long time, ReadOnlySpan<byte> stack, ReadOnlySpan<byte> payload)
        {
        }
    }

    /// <summary>The head of a trace, followed by an endless sequence of empty sequence point blocks.</summary>
    private sealed class EndlessTrace : Stream
    {
        private const byte BeginObject = 5;
        private const byte EndObject = 6;

        private readonly MemoryStream _next = new();
        private long _position;

        public EndlessTrace()
        {
            _next.Write([.. "Nettrace"u8, 1, 0, 0, 0, (byte)'!']);
            _next.Position = 0;
        }

        public override bool CanRead => true;

        public override bool CanSeek => false;

        public override bool CanWrite => false;

        public override long Length => throw new NotSupportedException();

        public override long Position { get => _position; set => throw new NotSupportedException(); }

        public override int Read(byte[] buffer, int offset, int count)
        {
            if (_next.Position == _next.Length)
            {
                WriteBlock();
            }

            var read = _next.Read(buffer, offset, count);
            _position += read;
            return read;
        }

        public override void Flush()
        {
        }

        public override long Seek(long offset, SeekOrigin origin) => throw new NotSupportedException();

        public override void SetLength(long value) => throw new NotSupportedException();

        public override void Write(byte[] buffer, int offset, int count) => throw new NotSupportedException();

        private void WriteBlock()
        {
            byte[] head = [BeginObject, BeginObject, 1, .. new byte[8], 7, 0, 0, 0, .. "SPBlock"u8, EndObject, 100, 0, 0, 0];
            var padding = (int)(-(_position + head.Length) & 3);
            byte[] block = [.. head, .. new byte[padding], .. new byte[100], EndObject];
            _next.SetLength(0);
            _next.Write(block);
            _next.Position = 0;
        }
    }
}
