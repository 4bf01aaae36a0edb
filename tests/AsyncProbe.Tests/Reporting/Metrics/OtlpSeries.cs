using System.Globalization;
using Google.Protobuf;

namespace AsyncProbe.Tests.Reporting.Metrics;

/// <summary>
/// Converts an OTLP export of metrics to the series that Prometheus creates from it, by OpenTelemetry's rules. It uses only the protocol's
/// field numbers, and knows nothing about AsyncProbe.
/// </summary>
internal static class OtlpSeries
{
    /// <param name="export">The export that a collector received.</param>
    /// <param name="meter">The meter to read; an export may contain several.</param>
    public static Dictionary<string, double> Read(byte[] export, string meter)
    {
        Dictionary<string, double> series = new(StringComparer.Ordinal);
        foreach (var metric in Messages(export, 1).SelectMany(resource => Messages(resource, 2))
            .Where(scope => Messages(scope, 1).Any(source => Text(source, 1) == meter)).SelectMany(scope => Messages(scope, 2)))
        {
            ReadMetric(metric, series);
        }

        return series;
    }

    private static void ReadMetric(byte[] metric, Dictionary<string, double> series)
    {
        var (name, unit) = (Text(metric, 1)!, Text(metric, 3) ?? "");
        foreach (var gauge in Messages(metric, 5))
        {
            ReadNumbers(gauge, NameOf(name, unit, isCounter: false, isGauge: true), series);
        }

        foreach (var sum in Messages(metric, 7))
        {
            var isMonotonic = Number(sum, 3) == 1;
            ReadNumbers(sum, NameOf(name, unit, isMonotonic, isGauge: false), series);
        }

        foreach (var point in Messages(metric, 9).SelectMany(histogram => Messages(histogram, 1)))
        {
            var (family, labels) = (NameOf(name, unit, isCounter: false, isGauge: false), Labels(Messages(point, 9)));
            var count = Fixed(point, 4) ?? 0;
            series.Add(SeriesOf(family + "_count", labels), count);
            series.Add(SeriesOf(family + "_sum", labels), Double(point, 5) ?? 0);
            series.Add(SeriesOf(family + "_bucket", [.. labels, "le=\"+Inf\""]), count);
            Messages(point, 7).ShouldBeEmpty("buckets, which the text would lack");
        }
    }

    private static void ReadNumbers(byte[] data, string name, Dictionary<string, double> series)
    {
        foreach (var point in Messages(data, 1))
        {
            series.Add(SeriesOf(name, Labels(Messages(point, 7))), Double(point, 4) ?? Fixed(point, 6) ?? 0);
        }
    }

    /// <summary>Sorts the labels, so that two ways to write a series become one.</summary>
    public static string SeriesOf(string name, IEnumerable<string> labels) =>
        $"{name}{{{string.Join(',', labels.Order(StringComparer.Ordinal))}}}";

    private static string NameOf(string name, string unit, bool isCounter, bool isGauge)
    {
        var text = string.Concat(name.Select(c => char.IsAsciiLetterOrDigit(c) || c == ':' ? c : '_'));
        text += unit switch
        {
            "s" => "_seconds",
            "1" when isGauge => "_ratio",
            "" or ['{', .., '}'] => "",
            _ => throw new NotSupportedException($"What does Prometheus make of '{unit}'?"),
        };
        return isCounter ? text + "_total" : text;
    }

    private static List<string> Labels(IEnumerable<byte[]> attributes) =>
        [.. attributes.Select(
            a =>
                $"{string.Concat(Text(a, 1)!.Select(c => char.IsAsciiLetterOrDigit(c) ? c : '_'))}=\"{Escape(Value(Messages(a, 2).Single()))}\"")];

    private static string Value(byte[] value) =>
        Text(value, 1)
            ?? (Number(value, 2) is { } flag ? flag == 1
                ? "true"
                : "false" : Number(value, 3)!.Value.ToString(CultureInfo.InvariantCulture));

    private static string Escape(string value) =>
        value.Replace("\\", "\\\\", StringComparison.Ordinal).Replace("\"", "\\\"", StringComparison.Ordinal)
            .Replace("\n", "\\n", StringComparison.Ordinal);

    private static string? Text(byte[] message, int field) =>
        Messages(message, field).Select(System.Text.Encoding.UTF8.GetString).FirstOrDefault();

    private static List<byte[]> Messages(byte[] message, int field) => [.. Fields(message, field).OfType<byte[]>()];

    private static long? Number(byte[] message, int field) => Fields(message, field).OfType<long?>().FirstOrDefault();

    private static double? Double(byte[] message, int field) =>
        Fields(message, field).OfType<ulong?>().Select(v => (double?)BitConverter.UInt64BitsToDouble(v!.Value)).FirstOrDefault();

    private static double? Fixed(byte[] message, int field) =>
        Fields(message, field).OfType<ulong?>().Select(v => (double?)(long)v!.Value).FirstOrDefault();

    private static IEnumerable<object> Fields(byte[] message, int field)
    {
        var input = new CodedInputStream(message);
        while (input.ReadTag() is not 0 and var tag)
        {
            var value = Read(input, WireFormat.GetTagWireType(tag));
            if (WireFormat.GetTagFieldNumber(tag) == field)
            {
                yield return value;
            }
        }
    }

    private static object Read(CodedInputStream input, WireFormat.WireType type) => type switch
    {
        WireFormat.WireType.Varint => input.ReadInt64(),
        WireFormat.WireType.Fixed64 => input.ReadFixed64(),
        WireFormat.WireType.LengthDelimited => input.ReadBytes().ToByteArray(),
        WireFormat.WireType.Fixed32 => (object)input.ReadFixed32(),
        _ => throw new NotSupportedException($"{type}"),
    };
}
