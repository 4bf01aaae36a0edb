using System.Buffers.Text;
using AsyncProbe.Common;

namespace AsyncProbe.Reporting.Json;

/// <summary>
/// Writes figures as JSON. A large report has forty thousand of them, and writing fixed decimals costs a tenth of formatting doubles in
/// their shortest form.
/// </summary>
internal ref struct FigureWriter(Span<byte> buffer)
{
    private readonly Span<byte> _buffer = buffer;
    private int _length;

    public readonly ReadOnlySpan<byte> Text => _buffer[.._length];

    /// <summary>Adds text that is already JSON.</summary>
    public void Add(ReadOnlySpan<byte> json)
    {
        json.CopyTo(_buffer[_length..]);
        _length += json.Length;
    }

    /// <param name="before">The figure's name, with the punctuation around it.</param>
    /// <param name="value">Null if it isn't available.</param>
    public void Number(ReadOnlySpan<byte> before, long? value) => Fixed(before, value, 1);

    /// <summary>Three decimal places, without trailing zeros.</summary>
    public void Milliseconds(ReadOnlySpan<byte> before, Duration? time) =>
        Fixed(before, (time + (Duration.FromMicroseconds(1) / 2))?.WholeMicroseconds, 1000);

    /// <summary>One decimal place.</summary>
    public void Tenths(ReadOnlySpan<byte> before, double? value) =>
        Fixed(before, value is { } v ? (long)Math.Round(v * 10) : null, 10);

    /// <summary>To the millisecond.</summary>
    public void Time(ReadOnlySpan<byte> before, DateTime utc)
    {
        // "2026-01-31T12:34:56.7890123Z"
        const int ToMilliseconds = 23;
        Add(before);
        Add("\""u8);
        utc.TryFormat(_buffer[_length..], out _, "O");
        _length += ToMilliseconds;
        Add("Z\""u8);
    }

    /// <param name="before">The figure's name, with the punctuation around it.</param>
    /// <param name="units">Null if the figure isn't available.</param>
    /// <param name="perOne">How many units make up 1; a power of ten.</param>
    private void Fixed(ReadOnlySpan<byte> before, long? units, int perOne)
    {
        Add(before);
        if (units is not { } value)
        {
            Add("null"u8);
            return;
        }

        var (whole, rest) = Math.DivRem(value, perOne);
        Utf8Formatter.TryFormat(whole, _buffer[_length..], out var written);
        _length += written;
        if (rest > 0)
        {
            _buffer[_length++] = (byte)'.';
            for (var place = perOne / 10; rest > 0; place /= 10)
            {
                (var digit, rest) = Math.DivRem(rest, place);
                _buffer[_length++] = (byte)('0' + digit);
            }
        }
    }
}
