using System.Globalization;
using System.Text.Json;
using System.Text.Json.Nodes;

namespace AsyncProbe.Cli.Sessions.Export;

/// <summary>A JSON body with variables in place of captured values, for engines that have no such rules.</summary>
internal static class InjectedBody
{
    /// <summary>The body's own JSON value where a captured value goes; null when the body isn't JSON or lacks the property.</summary>
    public static string? Original(ExportRequest request, TokenRule rule) => Parse(request) is { } json
        && JsonSearch.FindProperty(json, rule.Property) is { } property
        ? property.Owner[property.Name]?.ToJsonString() ?? "null"
        : null;

    /// <returns>The body without whitespace, as a run writes it; null when it isn't JSON.</returns>
    public static ExportText? Write(ExportRequest request, Func<TokenRule, string> variable)
    {
        if (Parse(request) is not { } json)
        {
            return null;
        }

        var marks = new List<(string Mark, string Variable)>();
        foreach (var rule in request.Rules.Where(rule => rule.Kind == TokenKind.InjectJson))
        {
            if (JsonSearch.FindProperty(json, rule.Property) is { } property)
            {
                var mark = string.Create(CultureInfo.InvariantCulture, $"zqj{marks.Count}jqz");
                property.Owner[property.Name] = mark;
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
            return request.Body is { } body ? LenientJson.Parse(body.ToString()) : null;
        }
        catch (JsonException)
        {
            return null;
        }
    }
}
