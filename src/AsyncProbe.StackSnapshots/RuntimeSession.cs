using System.Buffers.Binary;
using System.Diagnostics.Tracing;
using System.Text;

namespace AsyncProbe.StackSnapshots;

/// <summary>
/// An event session of this process with its own runtime, over a blocking connection. Microsoft's client connects asynchronously, after
/// which even its synchronous reads may need a pool thread: of a starved pool one snapshot in ten took as long as a work item waited.
/// The format is described in dotnet/diagnostics, documentation/design-docs/ipc-protocol.md.
/// </summary>
internal sealed class RuntimeSession : IDisposable
{
    private const int HeaderLength = 20;
    private const byte EventPipe = 2;
    private const byte StopTracing = 1;
    private const byte CollectTracing2 = 3;
    private const byte CollectTracing4 = 5;
    private const uint Nettrace = 1;
    private const ulong AllKeywords = ulong.MaxValue;

    // At most; the runtime takes what the events need and gives it back with the session's end.
    private const uint BufferMB = 64;

    private readonly ulong _id;
    private readonly TimeSpan _longest;

    private RuntimeSession(Stream events, ulong id, TimeSpan longest) => (Events, _id, _longest) = (events, id, longest);

    /// <summary>What the runtime sends until the session's end.</summary>
    public Stream Events { get; }

    /// <param name="provider">Whose events.</param>
    /// <param name="level">Up to which level.</param>
    /// <param name="rundown">What is to be listed at the session's end; 0 for nothing.</param>
    /// <param name="longest">How long a single answer may take.</param>
    /// <exception cref="IOException">The runtime does not answer, or refuses.</exception>
    public static RuntimeSession Start(string provider, EventLevel level, ulong rundown, TimeSpan longest)
    {
        // .NET 8 does not let choose what is listed: it lists what is wanted here, and little else.
        var isChosen = rundown != 0 && Environment.Version.Major > 8;
        using var payload = new MemoryStream();
        using (var writer = new BinaryWriter(payload, Encoding.Unicode, leaveOpen: true))
        {
            writer.Write(BufferMB);
            writer.Write(Nettrace);
            if (isChosen)
            {
                writer.Write(rundown);
            }

            // Of the one command whether a rundown is wanted, of the other whether stacks are.
            writer.Write(rundown != 0 && !isChosen);
            writer.Write(1);
            writer.Write(AllKeywords);
            writer.Write((uint)level);
            Write(writer, provider);
            Write(writer, "");
        }

        var runtime = RuntimeConnection.Open(longest);
        try
        {
            Send(runtime, isChosen ? CollectTracing4 : CollectTracing2, payload.ToArray());
            return new RuntimeSession(runtime, ReadAnswer(runtime), longest);
        }
        catch
        {
            runtime.Dispose();
            throw;
        }
    }

    /// <summary>Ends it. The runtime answers when all events have been read, so this is for another thread than the reader's.</summary>
    /// <exception cref="IOException">The runtime does not answer, or refuses.</exception>
    public void Stop()
    {
        var id = new byte[sizeof(ulong)];
        BinaryPrimitives.WriteUInt64LittleEndian(id, _id);
        using var runtime = RuntimeConnection.OpenAgain(_longest);
        Send(runtime, StopTracing, id);
        ReadAnswer(runtime);
    }

    public void Dispose() => Events.Dispose();

    private static void Write(BinaryWriter writer, string text)
    {
        writer.Write(text.Length + 1);
        writer.Write(Encoding.Unicode.GetBytes(text + '\0'));
    }

    private static void Send(Stream runtime, byte command, byte[] payload)
    {
        var message = new byte[HeaderLength + payload.Length];
        "DOTNET_IPC_V1\0"u8.CopyTo(message);
        BinaryPrimitives.WriteUInt16LittleEndian(message.AsSpan(14), (ushort)message.Length);
        (message[16], message[17]) = (EventPipe, command);
        payload.CopyTo(message, HeaderLength);
        runtime.Write(message);
    }

    private static ulong ReadAnswer(Stream runtime)
    {
        Span<byte> answer = stackalloc byte[HeaderLength + sizeof(ulong)];
        Receive(runtime, answer[..HeaderLength]);
        var payload = answer[HeaderLength..];
        payload.Clear();
        Receive(runtime, payload[..Math.Clamp(BinaryPrimitives.ReadUInt16LittleEndian(answer[14..]) - HeaderLength, 0, payload.Length)]);
        return answer[17] == 0
            ? BinaryPrimitives.ReadUInt64LittleEndian(payload)
            : throw new IOException(
                FormattableString.Invariant(
                    $"the runtime refused the session with error {BinaryPrimitives.ReadUInt32LittleEndian(payload):X8}."));
    }

    private static void Receive(Stream runtime, Span<byte> buffer)
    {
        try
        {
            while (buffer.Length > 0)
            {
                var count = runtime.Read(buffer);
                buffer = count > 0
                    ? buffer[count..]
                    : throw new EndOfStreamException("the runtime closed the connection without an answer.");
            }
        }
        catch (IOException e) when (e is not EndOfStreamException)
        {
            throw new IOException($"the runtime does not answer: {(e.InnerException ?? e).Message}", e);
        }
    }
}
