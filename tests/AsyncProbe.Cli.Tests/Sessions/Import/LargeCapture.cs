using System.Text;

namespace AsyncProbe.Cli.Tests.Sessions.Import;

/// <summary>A capture that is generated while it is read, one entry per line, so it needs no file and no memory.</summary>
internal sealed class LargeCapture(int entries, int answerBytes) : Stream
{
    private readonly byte[] _answer = [.. Enumerable.Repeat((byte)'x', answerBytes)];
    private byte[] _piece = Encoding.UTF8.GetBytes("{ \"log\": { \"entries\": [\n");
    private int _at;
    private int _next;
    private long _position;

    public override bool CanRead => true;

    public override bool CanSeek => false;

    public override bool CanWrite => false;

    public override long Length => throw new NotSupportedException();

    public override long Position { get => _position; set => throw new NotSupportedException(); }

    public override int Read(byte[] buffer, int offset, int count) => Read(buffer.AsSpan(offset, count));

    public override int Read(Span<byte> buffer)
    {
        if (_at == _piece.Length && !Continue())
        {
            return 0;
        }

        var length = Math.Min(buffer.Length, _piece.Length - _at);
        _piece.AsSpan(_at, length).CopyTo(buffer);
        _at += length;
        _position += length;
        return length;
    }

    public override void Flush()
    {
    }

    public override long Seek(long offset, SeekOrigin origin) => throw new NotSupportedException();

    public override void SetLength(long value) => throw new NotSupportedException();

    public override void Write(byte[] buffer, int offset, int count) => throw new NotSupportedException();

    /// <summary>Each entry has three pieces: the part before the answer's text, the text, and the part after it.</summary>
    private bool Continue()
    {
        var entry = _next / 3;
        if (entry > entries || (entry == entries && _next % 3 > 0))
        {
            return false;
        }

        _piece = (_next % 3) switch
        {
            _ when entry == entries => "] } }"u8.ToArray(),
            0 =>
                Encoding.UTF8.GetBytes(
                    $$"""{ "request": { "method": "POST", "url": "http://h/{{entry}}", "postData": { "mimeType": "application/json", "text": "{ \"entry\": {{entry}} }" } }, "response": { "content": { "text": """ + "\""),
            1 => _answer,
            _ => Encoding.UTF8.GetBytes($"\" }} }} }}{(entry < entries - 1 ? "," : "")}\n"),
        };
        _next++;
        _at = 0;
        return true;
    }
}
