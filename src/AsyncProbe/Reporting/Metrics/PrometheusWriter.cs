using System.Buffers;
using System.Buffers.Text;
using System.Diagnostics;
using System.Globalization;
using System.Text;
using AsyncProbe.Common;

namespace AsyncProbe.Reporting.Metrics;

/// <summary>Writes samples as UTF-8. A large app has fifteen thousand, so writing a sample allocates nothing.</summary>
internal sealed class PrometheusWriter(ArrayBufferWriter<byte> buffer, PrometheusFormat format)
{
    // In bytes: a number and the punctuation around it.
    private const int MostOfTheRest = 96;

    /// <summary>Writes the lines that precede a metric's samples.</summary>
    public void Begin(MetricDefinition metric)
    {
        var isOpen = format.IsOpenMetrics;
        var name = metric.PrometheusName;
        var family = !isOpen && metric.Type == MetricType.Counter ? name + "_total" : name;
        Write($"# HELP {family} {Escape(metric.Description, quotes: isOpen)}\n# TYPE {family} {metric.Type switch
        {
            MetricType.Histogram => "histogram",
            MetricType.Counter => "counter",
            _ => "gauge",
        }}\n");
        if (isOpen && metric.PrometheusUnit is { } unit)
        {
            Write($"# UNIT {family} {unit}\n");
        }
    }

    /// <summary>Writes the end marker, which only OpenMetrics has.</summary>
    public void End()
    {
        if (format.IsOpenMetrics)
        {
            Write("# EOF\n");
        }
    }

    /// <summary>Writes a sample with an integer value.</summary>
    public void Count(ReadOnlySpan<byte> name, ReadOnlySpan<byte> suffix, ReadOnlySpan<byte> labels, long value)
    {
        var line = Start(name, suffix, labels, out var length);
        Utf8Formatter.TryFormat(value, line[length..], out var written);
        Finish(line, length + written);
    }

    /// <summary>Writes a sample in seconds.</summary>
    public void Seconds(ReadOnlySpan<byte> name, ReadOnlySpan<byte> suffix, ReadOnlySpan<byte> labels, Duration time)
    {
        var line = Start(name, suffix, labels, out var length);
        Finish(line, length + FormatSeconds(time, line[length..]));
    }

    /// <summary>Writes a sample with a decimal value.</summary>
    public void Number(ReadOnlySpan<byte> name, ReadOnlySpan<byte> labels, double value)
    {
        var line = Start(name, [], labels, out var length);
        value.TryFormat(line[length..], out var written, provider: CultureInfo.InvariantCulture);
        Finish(line, length + written);
    }

    /// <summary>Formats tags as labels, without the braces.</summary>
    public static byte[] Labels(in TagList tags)
    {
        var text = new StringBuilder();
        foreach (var (name, value) in tags)
        {
            text.Append(text.Length == 0 ? "" : ",").Append(MetricDefinition.Translate(name)).Append("=\"")
                .Append(Escape(TextOf(value), quotes: true)).Append('"');
        }

        // Encoding replaces invalid Unicode, such as half of a surrogate pair, with U+FFFD.
        return Encoding.UTF8.GetBytes(text.ToString());
    }

    private static string TextOf(object? value) => value switch
    {
        true => "true",
        false => "false",
        _ => Convert.ToString(value, CultureInfo.InvariantCulture) ?? "",
    };

    // Names may contain anything. Replace zero bytes, because Prometheus would stop reading at one.
    private static string Escape(string text, bool quotes)
    {
        text = text.Replace("\\", @"\\", StringComparison.Ordinal).Replace("\n", @"\n", StringComparison.Ordinal).Replace('\0', '\uFFFD');
        return quotes ? text.Replace("\"", "\\\"", StringComparison.Ordinal) : text;
    }

    // Exact to the nanosecond, without the rounding digits of a double.
    private static int FormatSeconds(Duration time, Span<byte> text)
    {
        var (seconds, rest) = time.ToSecondsAndNanoseconds();
        Utf8Formatter.TryFormat(seconds, text, out var length);
        if (rest == 0)
        {
            return length;
        }

        text[length++] = (byte)'.';
        Utf8Formatter.TryFormat(rest, text[length..], out var digits, new StandardFormat('D', 9));
        length += digits;
        while (text[length - 1] == '0')
        {
            length--;
        }

        return length;
    }

    private Span<byte> Start(ReadOnlySpan<byte> name, ReadOnlySpan<byte> suffix, ReadOnlySpan<byte> labels, out int length)
    {
        var line = buffer.GetSpan(name.Length + suffix.Length + labels.Length + MostOfTheRest);
        name.CopyTo(line);
        suffix.CopyTo(line[name.Length..]);
        length = name.Length + suffix.Length;
        if (labels.Length > 0)
        {
            line[length++] = (byte)'{';
            labels.CopyTo(line[length..]);
            length += labels.Length;
            line[length++] = (byte)'}';
        }

        line[length++] = (byte)' ';
        return line;
    }

    private void Finish(Span<byte> line, int length)
    {
        line[length] = (byte)'\n';
        buffer.Advance(length + 1);
    }

    private void Write(string text) => Encoding.UTF8.GetBytes(text, buffer);
}
