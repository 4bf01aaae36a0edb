namespace AsyncProbe.Cli.Load;

/// <summary>Counts the bytes of a body without keeping them, so that reading a response needs no buffer of its own.</summary>
internal sealed class ByteCounter : Stream
{
    public long Count { get; private set; }

    public override bool CanRead => false;
    public override bool CanSeek => false;
    public override bool CanWrite => true;
    public override long Length => Count;
    public override long Position { get => Count; set => throw new NotSupportedException(); }

    public void Reset() => Count = 0;

    public override void Write(byte[] buffer, int offset, int count) => Count += count;

    public override void Write(ReadOnlySpan<byte> buffer) => Count += buffer.Length;

    public override Task WriteAsync(byte[] buffer, int offset, int count, CancellationToken cancellationToken)
    {
        Count += count;
        return Task.CompletedTask;
    }

    public override ValueTask WriteAsync(ReadOnlyMemory<byte> buffer, CancellationToken cancellationToken = default)
    {
        Count += buffer.Length;
        return ValueTask.CompletedTask;
    }

    public override void Flush()
    {
    }

    public override int Read(byte[] buffer, int offset, int count) => throw new NotSupportedException();

    public override long Seek(long offset, SeekOrigin origin) => throw new NotSupportedException();

    public override void SetLength(long value) => throw new NotSupportedException();
}
