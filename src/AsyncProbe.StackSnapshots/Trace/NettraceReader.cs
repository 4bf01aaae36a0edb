using System.Buffers;
using System.Buffers.Binary;
using System.Diagnostics;
using System.Text;

namespace AsyncProbe.StackSnapshots.Trace;

/// <summary>
/// Reads the stream of an EventPipe session (Nettrace, version 4) block by block without storing it, so that a rundown of several megabytes
/// needs only one buffer. It stops at a size and a time limit, because a stream could go on forever.
/// </summary>
/// <param name="stream">The session's stream.</param>
/// <param name="mostBytes">The maximum size of the stream.</param>
/// <param name="longest">The maximum time to read.</param>
internal sealed class NettraceReader(Stream stream, IEventSink sink, long mostBytes, TimeSpan longest) : IDisposable
{
    private const byte BeginObject = 5;
    private const byte EndObject = 6;

    // The runtime's blocks have 100 KB. A much larger size means that this isn't a trace.
    private const int LargestBlock = 64 * 1024 * 1024;

    private readonly EventBlocks _blocks = new(sink);
    private byte[] _buffer = ArrayPool<byte>.Shared.Rent(128 * 1024);
    private readonly long _since = Stopwatch.GetTimestamp();
    private long _position;

    /// <summary>The number of bytes read so far.</summary>
    public long Position => _position;

    /// <summary>Reads to the end of the session.</summary>
    /// <exception cref="InvalidDataException">The stream has an unknown format, or exceeds a limit.</exception>
    /// <exception cref="EndOfStreamException">The stream ends early.</exception>
    public void Read()
    {
        Require(Encoding.ASCII.GetString(Take(8)) == "Nettrace", "begins with another word than Nettrace");
        Take(TakeInt32());
        while (Take(1)[0] == BeginObject)
        {
            Require(Take(1)[0] == BeginObject, "has an object without a type");
            Take(1 + 8);
            var type = Encoding.UTF8.GetString(Take(TakeInt32()));
            Require(Take(1)[0] == EndObject, "has a type without an end");
            ReadObject(type);
            Require(Take(1)[0] == EndObject, "has an object without an end");
        }
    }

    public void Dispose()
    {
        ArrayPool<byte>.Shared.Return(_buffer);
        _buffer = [];
    }

    private void ReadObject(string type)
    {
        if (type == "Trace")
        {
            Take(48);
            return;
        }

        var size = TakeInt32();
        Take((int)(-_position & 3));
        Require(size is >= 0 and <= LargestBlock, $"has a block of {size} bytes");
        try
        {
            _blocks.Read(type, Take(size));
        }
        catch (Exception e) when (e is ArgumentOutOfRangeException or IndexOutOfRangeException)
        {
            Require(false, "has a block that does not hold what it announces");
        }
    }

    private int TakeInt32() => BinaryPrimitives.ReadInt32LittleEndian(Take(4));

    private ReadOnlySpan<byte> Take(int count)
    {
        Require(count is >= 0 and <= LargestBlock, $"has a part of {count} bytes");
        if (count > _buffer.Length)
        {
            // Rent first: if there isn't enough memory for the larger buffer, Dispose still returns the old one.
            var larger = ArrayPool<byte>.Shared.Rent(count);
            ArrayPool<byte>.Shared.Return(_buffer);
            _buffer = larger;
        }

        Require(_position + count <= mostBytes, $"has more than {mostBytes} bytes");
        Require(Stopwatch.GetElapsedTime(_since) < longest, $"lasts longer than {longest.TotalSeconds} s");
        var span = _buffer.AsSpan(0, count);
        stream.ReadExactly(span);
        _position += count;
        return span;
    }

    private static void Require(bool holds, string otherwise)
    {
        if (!holds)
        {
            throw new InvalidDataException(
                $"The runtime's event stream {otherwise}; this version of AsyncProbe.StackSnapshots does not know its format.");
        }
    }
}
