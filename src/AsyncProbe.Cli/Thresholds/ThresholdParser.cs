using System.Globalization;
using System.Text.RegularExpressions;
using AsyncProbe.Cli.Sessions;

namespace AsyncProbe.Cli.Thresholds;

/// <summary>Parses threshold expressions; an invalid one stops the command before any load.</summary>
internal static partial class ThresholdParser
{
    /// <param name="expression">What was typed.</param>
    /// <param name="nearest">Finds the name that was probably meant, among all valid names; null when none is similar enough.</param>
    /// <exception cref="FormatException">The expression is invalid; the message says why and what would be valid.</exception>
    public static Threshold Parse(string expression, Func<string, IEnumerable<string>, string?>? nearest = null)
    {
        var match = s_form.Match(expression);
        if (!match.Success)
        {
            throw new FormatException(
                $"The threshold \"{expression}\" is not METRIC OPERATOR NUMBER, such as p(95)<500 or failed.rate<0.01.");
        }

        var metric = match.Groups["metric"].Value.Replace(" ", "", StringComparison.Ordinal).ToLowerInvariant();
        double? percent = null;
        if (Percentile().Match(metric) is { Success: true } call)
        {
            percent = double.Parse(call.Groups[1].Value, CultureInfo.InvariantCulture);
            metric = metric.Replace(call.Value, ThresholdMetrics.Percentile, StringComparison.Ordinal);
            if (percent is <= 0 or > 100)
            {
                throw new FormatException(
                    $"The threshold \"{expression}\" asks for percentile {percent.Value.ToString(CultureInfo.InvariantCulture)}; "
                        + "percentiles are above 0 and at most 100.");
            }
        }

        if (!ThresholdMetrics.IsKnown(metric))
        {
            var meant = BarePercentile().Match(metric) is { Success: true } bare
                ? $"{bare.Groups[1].Value}p({bare.Groups[2].Value})"
                : nearest?.Invoke(metric, ThresholdMetrics.All);
            throw new FormatException(
                $"The threshold \"{expression}\" names \"{match.Groups["metric"].Value.Trim()}\", which is not a metric."
                    + (meant is null ? $" Metrics: {string.Join(", ", ThresholdMetrics.All)}."
                        : $" Did you mean {meant}? All metrics: asyncprobe run --help."));
        }

        if (!double.TryParse(match.Groups["limit"].Value, NumberStyles.Float, CultureInfo.InvariantCulture, out var limit)
            || !double.IsFinite(limit))
        {
            throw new FormatException(
                $"The threshold \"{expression}\" ends in \"{match.Groups["limit"].Value}\", which is not a number; write plain "
                    + "milliseconds, counts or shares.");
        }

        // Users type the names of requests and endpoints as they are displayed.
        var name = match.Groups["name"].Success ? SafeText.From(match.Groups["name"].Value) : null;
        return new Threshold(expression.Trim(), name, metric, percent, match.Groups["operator"].Value, limit);
    }

    /// <summary>Doesn't backtrack: blanks could be divided among its parts in many ways.</summary>
    private static readonly Regex s_form = new(
        "^\\s*(?:name\\[(?<name>[^\\]]*)\\]\\s*:)?\\s*(?<metric>[^<>=!]+?)\\s*(?<operator><=|>=|==|!=|<|>)\\s*(?<limit>\\S+)\\s*$",
        RegexOptions.IgnoreCase | RegexOptions.CultureInvariant | RegexOptions.NonBacktracking);

    /// <summary>The form that other tools use.</summary>
    [GeneratedRegex("^(fromsend\\.)?p\\(?(\\d{1,3}(?:\\.\\d{1,6})?)\\)?$", RegexOptions.CultureInvariant)]
    private static partial Regex BarePercentile();

    [GeneratedRegex("p\\((\\d{1,3}(?:\\.\\d{1,6})?)\\)", RegexOptions.CultureInvariant)]
    private static partial Regex Percentile();
}
