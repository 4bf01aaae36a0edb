using System.Buffers.Binary;
using System.Diagnostics.Tracing;
using System.Net.Sockets;
using System.Text;

namespace AsyncProbe.StackSnapshots;

/// <summary>
/// An event session of this process with its own runtime, over blocking sockets. Microsoft's client connects asynchronously, after which
/// even its synchronous reads may need a pool thread: of a starved pool one snapshot in ten took as long as a work item waited.
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

    private readonly Socket _socket;
    private readonly ulong _id;
    private readonly TimeSpan _longest;

    private RuntimeSession(Socket socket, ulong id, TimeSpan longest) =>
        (_socket, _id, _longest, Events) = (socket, id, longest, new NetworkStream(socket, ownsSocket: false));

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

        DiagnosticsSocket.EnsureAnswers();
        var socket = Send(isChosen ? CollectTracing4 : CollectTracing2, payload.ToArray(), longest);
        try
        {
            return new RuntimeSession(socket, ReadAnswer(socket), longest);
        }
        catch
        {
            socket.Dispose();
            throw;
        }
    }

    /// <summary>Ends it. The runtime answers when all events have been read, so this is for another thread than the reader's.</summary>
    /// <exception cref="IOException">The runtime does not answer, or refuses.</exception>
    public void Stop()
    {
        var id = new byte[sizeof(ulong)];
        BinaryPrimitives.WriteUInt64LittleEndian(id, _id);
        using var socket = Send(StopTracing, id, _longest);
        ReadAnswer(socket);
    }

    public void Dispose()
    {
        Events.Dispose();
        _socket.Dispose();
    }

    private static void Write(BinaryWriter writer, string text)
    {
        writer.Write(text.Length + 1);
        writer.Write(Encoding.Unicode.GetBytes(text + '\0'));
    }

    private static Socket Send(byte command, byte[] payload, TimeSpan longest)
    {
        var message = new byte[HeaderLength + payload.Length];
        "DOTNET_IPC_V1\0"u8.CopyTo(message);
        BinaryPrimitives.WriteUInt16LittleEndian(message.AsSpan(14), (ushort)message.Length);
        (message[16], message[17]) = (EventPipe, command);
        payload.CopyTo(message, HeaderLength);
        var socket = new Socket(AddressFamily.Unix, SocketType.Stream, ProtocolType.Unspecified)
        {
            ReceiveTimeout = (int)longest.TotalMilliseconds, SendTimeout = (int)longest.TotalMilliseconds,
        };
        try
        {
            socket.Connect(new UnixDomainSocketEndPoint(DiagnosticsSocket.Own));
            socket.Send(message);
            return socket;
        }
        catch (SocketException e)
        {
            // It was there at the start: a cleaner of temporary files may have taken it.
            socket.Dispose();
            throw new IOException(DiagnosticsSocket.WhyNot() ?? $"the runtime's diagnostics socket cannot be reached: {e.Message}", e);
        }
    }

    private static ulong ReadAnswer(Socket socket)
    {
        Span<byte> answer = stackalloc byte[HeaderLength + sizeof(ulong)];
        Receive(socket, answer[..HeaderLength]);
        var payload = answer[HeaderLength..];
        payload.Clear();
        Receive(socket, payload[..Math.Clamp(BinaryPrimitives.ReadUInt16LittleEndian(answer[14..]) - HeaderLength, 0, payload.Length)]);
        return answer[17] == 0
            ? BinaryPrimitives.ReadUInt64LittleEndian(payload)
            : throw new IOException(
                FormattableString.Invariant(
                    $"the runtime refused the session with error {BinaryPrimitives.ReadUInt32LittleEndian(payload):X8}."));
    }

    private static void Receive(Socket socket, Span<byte> buffer)
    {
        try
        {
            while (buffer.Length > 0)
            {
                var count = socket.Receive(buffer);
                buffer = count > 0
                    ? buffer[count..]
                    : throw new EndOfStreamException("the runtime closed its diagnostics socket without an answer.");
            }
        }
        catch (SocketException e)
        {
            throw new IOException($"the runtime does not answer on its diagnostics socket: {e.Message}", e);
        }
    }
}
