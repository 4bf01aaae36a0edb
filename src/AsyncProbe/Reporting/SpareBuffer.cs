using System.Buffers;

namespace AsyncProbe.Reporting;

/// <summary>
/// Keeps the buffer of the last text for the next one. A large app's report is a megabyte, and new buffers of that size would cause full
/// garbage collections in the app.
/// </summary>
internal sealed class SpareBuffer
{
    // In bytes; a larger buffer isn't kept.
    private const int MostKept = 4 << 20;

    private ArrayBufferWriter<byte>? _spare;

    /// <summary>The caller owns the buffer until it gives it back.</summary>
    public ArrayBufferWriter<byte> Take() => Interlocked.Exchange(ref _spare, null) ?? new ArrayBufferWriter<byte>(16 << 10);

    /// <summary>Don't give back a buffer that may still be read somewhere.</summary>
    public void GiveBack(ArrayBufferWriter<byte> buffer)
    {
        if (buffer.Capacity <= MostKept)
        {
            buffer.ResetWrittenCount();
            Volatile.Write(ref _spare, buffer);
        }
    }

    /// <summary>Copies the text and gives the buffer back.</summary>
    public byte[] ToArray(ArrayBufferWriter<byte> buffer)
    {
        var copy = buffer.WrittenSpan.ToArray();
        GiveBack(buffer);
        return copy;
    }
}
