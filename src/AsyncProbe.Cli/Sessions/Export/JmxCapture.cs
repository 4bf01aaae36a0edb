using System.Xml.Linq;
using static AsyncProbe.Cli.Sessions.Export.JmxElement;

namespace AsyncProbe.Cli.Sessions.Export;

/// <summary>A value from one response for later requests: JMeter finds it with a regular expression and stores it in a variable.</summary>
internal static class JmxCapture
{
    public static string VariableName(TokenRule rule) =>
        "captured." + string.Concat(rule.Lookup.Select(c => char.IsLetterOrDigit(c) ? char.ToLowerInvariant(c) : '_'));

    /// <summary>The variable for the same value with the quotes of a string, for use in JSON.</summary>
    public static string JsonVariableName(TokenRule rule) => VariableName(rule) + ".json";

    public static string BearerToken(TokenRule rule) => $"Bearer ${{{VariableName(rule)}}}";

    public static XElement Extractor(TokenRule rule) => Extractor(rule, VariableName(rule), "\"?([^\",}\\]\\s]+)");

    public static XElement JsonExtractor(TokenRule rule) =>
        Extractor(rule, JsonVariableName(rule), "(\"(?:[^\"\\\\]|\\\\.)*\"|[^\",}\\]\\s]+)");

    public static string? FindLoss(ExportRequest request, TokenRule rule) => rule.Kind switch
    {
        TokenKind.CaptureJson =>
            $"What \"{request.Title}\" captures is found by a regular expression: the first \"{rule.Lookup}\" in the response's text.",
        TokenKind.CaptureAuthorization => $"\"{request.Title}\": a captured value as everybody's authorization.",
        _ => null,
    };

    private static XElement Extractor(TokenRule rule, string variable, string value) =>
        Create("RegexExtractor", "RegexExtractorGui", $"Capture {SafeText.From(rule.Lookup)}", true,
            Text("RegexExtractor.useHeaders", "false"),
            Text("RegexExtractor.refname", variable),
            Text("RegexExtractor.regex", $"(?i)\"{LastName(rule)}\"\\s*:\\s*{value}"),
            Text("RegexExtractor.template", "$1$"),
            Text("RegexExtractor.default", ""),
            Text("RegexExtractor.match_number", "1"));

    /// <summary>Replaces characters that have a meaning in regular expressions with a dot.</summary>
    private static string LastName(TokenRule rule) =>
        string.Concat(rule.Lookup.Split('.')[^1].Select(c => char.IsLetterOrDigit(c) || c == '_' ? c : '.'));
}
