using System.Diagnostics;

namespace AsyncProbe.StackSnapshots.Runtimes;

/// <summary>
/// Adds a timeout to the reads of a stream that doesn't support one, such as a pipe. It polls until data is available, so a read never
/// blocks and needs no pool thread to cancel it.
/// </summary>
/// <param name="inner">The stream. It is read only when it has data or has ended, and closed together with this one.</param>
/// <param name="hasData">Whether a read would return immediately.</param>
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

    /// <exception cref="IOException">No data arrived in time.</exception>
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

            // Within a burst, the next part arrives immediately, but a sleep may take 15 ms on Windows.
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
