using System.Diagnostics;

namespace AsyncProbe.StackSnapshots;

/// <summary>
/// Reads from a stream that cannot give up by itself, a pipe: it asks first whether there is anything, again and again, so that a read
/// never waits and needs no thread of the pool to be ended.
/// </summary>
/// <param name="inner">Read only when it has something, or has ended; closed with this one.</param>
/// <param name="hasData">Whether a read would return at once.</param>
/// <param name="longest">How long a single read may take.</param>
internal sealed class PatientStream(Stream inner, Func<bool> hasData, TimeSpan longest) : Stream
{
    private const int SpinsBeforeSleep = 100;

    public override bool CanRead => true;

    public override bool CanSeek => false;

    public override bool CanWrite => true;

    public override long Length => throw new NotSupportedException();

    public override long Position
    {
        get => throw new NotSupportedException();
        set => throw new NotSupportedException();
    }

    /// <exception cref="IOException">Nothing came in time.</exception>
    public override int Read(Span<byte> buffer)
    {
        var since = Stopwatch.GetTimestamp();
        var pause = default(SpinWait);
        while (!hasData())
        {
            if (Stopwatch.GetElapsedTime(since) > longest)
            {
                throw new IOException(FormattableString.Invariant($"nothing came within {longest.TotalSeconds} s."));
            }

            // Within a burst the next part is there at once; a sleep may last 15 ms on Windows.
            pause.SpinOnce(SpinsBeforeSleep);
        }

        return inner.Read(buffer);
    }

    public override int Read(byte[] buffer, int offset, int count) => Read(buffer.AsSpan(offset, count));

    public override void Write(ReadOnlySpan<byte> buffer) => inner.Write(buffer);

    public override void Write(byte[] buffer, int offset, int count) => Write(buffer.AsSpan(offset, count));

    public override void Flush() => inner.Flush();

    public override long Seek(long offset, SeekOrigin origin) => throw new NotSupportedException();

    public override void SetLength(long value) => throw new NotSupportedException();

    protected override void Dispose(bool disposing)
    {
        if (disposing)
        {
            inner.Dispose();
        }

        base.Dispose(disposing);
    }
}
