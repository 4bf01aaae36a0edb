using System.Globalization;
using System.Text.Json;
using System.Text.Json.Nodes;

namespace AsyncProbe.Cli.Sessions.Export;

/// <summary>A JSON body with variables where captured values go, for engines that have no rules of their own.</summary>
internal static class InjectedBody
{
    /// <summary>What the body holds where a captured value goes, as JSON; null when it is no JSON or has no such property.</summary>
    public static string? Original(ExportRequest request, TokenRule rule) => Parse(request) is { } json
        ? JsonSearch.Find(json, rule.Property)?.ToJsonString()
        : null;

    /// <returns>The body, written as a run writes it: without blanks; null when it is no JSON.</returns>
    public static ExportText? Write(ExportRequest request, Func<TokenRule, string> variable)
    {
        if (Parse(request) is not { } json)
        {
            return null;
        }

        var marks = new List<(string Mark, string Variable)>();
        foreach (var rule in request.Rules.Where(rule => rule.Kind == TokenKind.InjectJson))
        {
            if (JsonSearch.Find(json, rule.Property) is { Parent: not null } property)
            {
                var mark = string.Create(CultureInfo.InvariantCulture, $"zqj{marks.Count}jqz");
                property.ReplaceWith(JsonValue.Create(mark));
                marks.Add(($"\"{mark}\"", variable(rule)));
            }
        }

        return ExportText.Parse(
            marks.Aggregate(
                JsonSerializer.Serialize(json),
                (text, mark) => text.Replace(mark.Mark, $"{{{{{mark.Variable}}}}}", StringComparison.Ordinal)));
    }

    private static JsonNode? Parse(ExportRequest request)
    {
        try
        {
            return request.Body is { } body ? JsonNode.Parse(body.ToString()) : null;
        }
        catch (JsonException)
        {
            return null;
        }
    }
}
