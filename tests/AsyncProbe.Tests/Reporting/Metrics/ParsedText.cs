using System.Globalization;
using System.Text.RegularExpressions;

namespace AsyncProbe.Tests.Reporting.Metrics;

/// <summary>A text for Prometheus, parsed strictly: anything that breaks the format fails the test.</summary>
internal sealed partial class ParsedText
{
    private readonly Dictionary<string, double> _series = new(StringComparer.Ordinal);

    private ParsedText()
    {
    }

    /// <summary>Values by series, as <see cref="OtlpSeries"/> names them.</summary>
    public IReadOnlyDictionary<string, double> Series => _series;

    /// <summary>Types by name.</summary>
    public Dictionary<string, string> Types { get; } = [];

    public static ParsedText Read(string text, bool isOpenMetrics)
    {
        text.ShouldEndWith("\n");
        var lines = text[..^1].Split('\n');
        if (isOpenMetrics)
        {
            lines[^1].ShouldBe("# EOF");
            lines = lines[..^1];
        }

        var parsed = new ParsedText();
        var family = "";
        foreach (var line in lines)
        {
            if (line.StartsWith("# HELP ", StringComparison.Ordinal))
            {
                family = line.Split(' ')[2];
                parsed.Types.ContainsKey(family).ShouldBeFalse($"{family} comes twice");
            }
            else if (line.StartsWith("# TYPE ", StringComparison.Ordinal))
            {
                line.Split(' ')[2].ShouldBe(family);
                parsed.Types.Add(family, line.Split(' ')[3]);
            }
            else if (line.StartsWith("# UNIT ", StringComparison.Ordinal))
            {
                isOpenMetrics.ShouldBeTrue();
                family.ShouldEndWith("_" + line.Split(' ')[3]);
            }
            else
            {
                parsed.AddSample(line, family, isOpenMetrics);
            }
        }

        return parsed;
    }

    public double Sum(string name, params string[] labels) =>
        _series.Where(
            s => s.Key.StartsWith(name + "{", StringComparison.Ordinal)
                && labels.All(label => s.Key.Contains(label, StringComparison.Ordinal))).Sum(s => s.Value);

    private void AddSample(string line, string family, bool isOpenMetrics)
    {
        var match = Sample().Match(line);
        match.Success.ShouldBeTrue($"no sample: {line}");
        var name = match.Groups["name"].Value;
        var suffixes = Types[family] switch
        {
            "histogram" => new[] { "_bucket", "_count", "_sum" },
            "counter" when isOpenMetrics => ["_total"],
            _ => [""],
        };
        Array.Exists(suffixes, suffix => name == family + suffix).ShouldBeTrue($"{name} is no sample of {family}");
        var labels = Label().Matches(match.Groups["labels"].Value).Select(m => m.Value).ToList();
        string.Join(',', labels).ShouldBe(match.Groups["labels"].Value);
        var series = OtlpSeries.SeriesOf(name, labels);
        _series.ContainsKey(series).ShouldBeFalse($"{series} comes twice");
        _series.Add(series, double.Parse(match.Groups["value"].Value, CultureInfo.InvariantCulture));
    }

    [GeneratedRegex("""^(?<name>[a-zA-Z_:][a-zA-Z0-9_:]*)(\{(?<labels>.+)\})? (?<value>\S+)$""",
        RegexOptions.ExplicitCapture | RegexOptions.Singleline)]
    private static partial Regex Sample();

    [GeneratedRegex("""[a-zA-Z_][a-zA-Z0-9_]*="([^"\\\n]|\\[\\n"])*"(?=,|$)""")]
    private static partial Regex Label();
}
