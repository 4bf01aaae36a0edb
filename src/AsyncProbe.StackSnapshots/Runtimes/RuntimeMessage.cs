using System.Buffers.Binary;
using System.Text;

namespace AsyncProbe.StackSnapshots.Runtimes;

/// <summary>
/// A command to a runtime, and its answer. The format is described in dotnet/diagnostics, documentation/design-docs/ipc-protocol.md.
/// </summary>
internal static class RuntimeMessage
{
    private const int HeaderLength = 20;
    private const byte ErrorAnswer = 0xFF;

    /// <summary>Sends a command with its payload.</summary>
    /// <param name="runtime">The connection.</param>
    /// <param name="set">The command set.</param>
    /// <param name="command">The command within the set.</param>
    public static void Send(Stream runtime, byte set, byte command, ReadOnlySpan<byte> payload)
    {
        var message = new byte[HeaderLength + payload.Length];
        "DOTNET_IPC_V1\0"u8.CopyTo(message);
        BinaryPrimitives.WriteUInt16LittleEndian(message.AsSpan(14), checked((ushort)message.Length));
        (message[16], message[17]) = (set, command);
        payload.CopyTo(message.AsSpan(HeaderLength));
        runtime.Write(message);
    }

    /// <summary>Reads the answer's payload.</summary>
    /// <exception cref="RuntimeRefusedException">The runtime refused the command.</exception>
    /// <exception cref="IOException">The runtime does not answer.</exception>
    public static byte[] ReadAnswer(Stream runtime)
    {
        Span<byte> header = stackalloc byte[HeaderLength];
        Receive(runtime, header);
        var payload = new byte[Math.Max(0, BinaryPrimitives.ReadUInt16LittleEndian(header[14..]) - HeaderLength)];
        Receive(runtime, payload);
        return header[17] != ErrorAnswer
            ? payload
            : throw new RuntimeRefusedException(payload.Length >= sizeof(uint) ? BinaryPrimitives.ReadUInt32LittleEndian(payload) : 0);
    }

    /// <summary>Writes a string in the runtime's format: its length in UTF-16 units including the NUL, then the units.</summary>
    public static void Write(BinaryWriter writer, string text)
    {
        writer.Write(text.Length + 1);
        writer.Write(Encoding.Unicode.GetBytes(text + '\0'));
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
