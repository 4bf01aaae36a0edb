using System.Text.Json.Nodes;
using System.Text.RegularExpressions;
using Microsoft.OpenApi;

namespace AsyncProbe.Cli.Sessions.Import.OpenApi;

/// <summary>
/// Puts the parameters of one operation where they belong. Parameters without a value are listed; if one is required, a variable replaces
/// it.
/// </summary>
internal sealed partial class OpenApiParameters(string place, ImportedHeaders headers, Action<Severity, string, string> say)
{
    private readonly List<string> _query = [];
    private readonly List<string> _cookies = [];
    private readonly List<string> _without = [];

    /// <returns>The path with its query.</returns>
    public string Apply(string path, IList<IOpenApiParameter>? ofThePath, IList<IOpenApiParameter>? own)
    {
        var all = (ofThePath ?? []).Concat(own ?? []).Where(parameter => parameter?.Name is { Length: > 0 }).ToList();
        path = Undescribed(path, all);
        // The operation's own parameter overrides the path's.
        foreach (var parameter in all.GroupBy(parameter => (parameter.Name, parameter.In)).Select(same => same.Last()))
        {
            path = Apply(path, parameter);
        }

        if (_cookies.Count > 0)
        {
            headers.Add("Cookie", string.Join("; ", _cookies));
        }

        if (_without.Count > 0)
        {
            say(Severity.Note, place, $"Parameters without example and default: {SafeText.From(string.Join(", ", _without))}.");
        }

        return _query.Count == 0 ? path : $"{path}?{string.Join('&', _query)}";
    }

    /// <summary>A name in the path that no parameter describes also becomes a variable.</summary>
    private string Undescribed(string path, List<IOpenApiParameter> all) => Name().Replace(path, match =>
    {
        var name = match.Groups[1].Value;
        if (all.Exists(parameter => parameter.In == ParameterLocation.Path && parameter.Name == name))
        {
            return match.Value;
        }

        _without.Add($"{name} ({{{{{Variable(name)}}}}} stands for it)");
        return $"{{{{{Variable(name)}}}}}";
    });

    private string Apply(string path, IOpenApiParameter parameter)
    {
        var (name, value) = (parameter.Name!, OpenApiValues.Find(parameter));
        var required = parameter.Required || parameter.In == ParameterLocation.Path;
        var stands = value is null;
        if (value is null)
        {
            _without.Add(required ? $"{name} ({{{{{Variable(name)}}}}} stands for it)" : $"{name} (left out)");
            value = required ? JsonValue.Create($"{{{{{Variable(name)}}}}}") : null;
        }

        if (value is null)
        {
            return path;
        }

        // A value with a media type is one text, whatever its style.
        if (parameter.Content?.Keys.FirstOrDefault()?.Contains("json", StringComparison.OrdinalIgnoreCase) == true && !stands)
        {
            value = JsonValue.Create(value.ToJsonString(OpenApiBody.Readable));
        }

        switch (parameter.In)
        {
            case ParameterLocation.Path:
                return path.Replace(
                    $"{{{name}}}", OpenApiTexts.Path(name, value, parameter.Style ?? ParameterStyle.Simple, parameter.Explode),
                    StringComparison.Ordinal);
            case ParameterLocation.Query:
                _query.AddRange(
                    OpenApiTexts.Query(name, value, parameter.Style ?? ParameterStyle.Form, parameter.Explode, parameter.AllowReserved));
                break;
            case ParameterLocation.Header:
                headers.Add(name, string.Join(',', OpenApiTexts.Flat(value, parameter.Explode)));
                break;
            case ParameterLocation.Cookie:
                _cookies.Add($"{name}={string.Join(',', OpenApiTexts.Flat(value).Select(ImportedBody.Escape))}");
                break;
            default:
                say(
                    Severity.Warning, place,
                    $"The parameter {SafeText.From(name)} is of a kind that is not understood, so it is left out.");
                break;
        }

        return path;
    }

    [GeneratedRegex(@"\{([^{}/]+)\}")]
    private static partial Regex Name();

    /// <summary>A valid name for a session variable.</summary>
    private static string Variable(string name) =>
        string.Concat(name.Take(100).Select(c => char.IsAsciiLetterOrDigit(c) || c is '_' or '-' or '.' ? c : '_'));
}
