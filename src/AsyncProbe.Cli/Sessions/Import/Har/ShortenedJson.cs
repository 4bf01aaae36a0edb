using System.Text;

namespace AsyncProbe.Cli.Sessions.Import.Har;

/// <summary>
/// Passes on a JSON document with its long texts cut, and without a byte order mark. A capture contains whole downloads, and a reader needs
/// each text in memory as a whole. A text that was cut ends with a NUL.
/// </summary>
internal sealed class ShortenedJson(Stream source, int longest)
{
    private bool _begun;
    private bool _inText;
    private bool _escaped;
    private bool _cut;
    private int _digits;
    private int _length;

    /// <returns>0 only at the end of the document.</returns>
    public int Read(Span<byte> buffer)
    {
        // The mark of a cut is longer than the byte that it replaces, so leave room for it.
        Span<byte> chunk = stackalloc byte[16 * 1024];
        while (true)
        {
            var most = Math.Min(chunk.Length, Math.Max(1, (buffer.Length - 8) / 2));
            var read = source.ReadAtLeast(chunk[..most], Math.Min(most, Encoding.UTF8.Preamble.Length), throwOnEndOfStream: false);
            if (read == 0)
            {
                return 0;
            }

            var begin = !_begun && chunk[..read].StartsWith(Encoding.UTF8.Preamble) ? Encoding.UTF8.Preamble.Length : 0;
            _begun = true;
            var kept = Keep(chunk[begin..read], buffer);
            if (kept > 0)
            {
                return kept;
            }
        }
    }

    private int Keep(ReadOnlySpan<byte> chunk, Span<byte> kept)
    {
        var length = 0;
        for (var at = 0; at < chunk.Length;)
        {
            var run = Run(chunk[at..]);
            if (run > 0)
            {
                if (!_cut)
                {
                    chunk.Slice(at, run).CopyTo(kept[length..]);
                    length += run;
                    _length += run;
                }

                at += run;
            }
            else
            {
                length += KeepOne(chunk[at++], kept[length..]);
            }
        }

        return length;
    }

    /// <summary>How many bytes can be kept or dropped together: most of a capture is inside long texts.</summary>
    private int Run(ReadOnlySpan<byte> rest)
    {
        if (_escaped || _digits > 0)
        {
            return 0;
        }

        var end = _inText ? rest.IndexOfAny((byte)'"', (byte)'\\') : rest.IndexOf((byte)'"');
        var run = end < 0 ? rest.Length : end;
        return !_inText || _cut ? run : Math.Min(run, Math.Max(0, longest - _length));
    }

    private int KeepOne(byte b, Span<byte> kept)
    {
        var length = 0;
        var starts = !_escaped && _digits == 0;
        if (starts && b == '"')
        {
            _inText = !_inText;
            (_length, _cut) = (0, false);
            kept[0] = b;
            return 1;
        }

        // Don't cut inside an escape sequence or a multi-byte character.
        if (starts && !_cut && _length >= longest && (b & 0xC0) != 0x80)
        {
            _cut = true;
            "\\u0000"u8.CopyTo(kept);
            length = 6;
        }

        _digits = _escaped && b == 'u' ? 4 : Math.Max(0, _digits - 1);
        _escaped = starts && b == '\\';
        if (!_cut)
        {
            kept[length++] = b;
            _length++;
        }

        return length;
    }
}
