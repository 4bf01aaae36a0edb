using System.Text.Json.Nodes;
using Microsoft.OpenApi;

namespace AsyncProbe.Cli.Sessions.Import.OpenApi;

/// <summary>
/// Puts the parameters of one operation where they belong. What has no value is listed; where it is required, a variable stands for it.
/// </summary>
internal sealed class OpenApiParameters(string place, ImportedHeaders headers, Action<Severity, string, string> say)
{
    private readonly List<string> _query = [];
    private readonly List<string> _cookies = [];
    private readonly List<string> _without = [];

    /// <returns>The path with its query.</returns>
    public string Apply(string path, IList<IOpenApiParameter>? ofThePath, IList<IOpenApiParameter>? own)
    {
        var all = (ofThePath ?? []).Concat(own ?? []).Where(parameter => parameter?.Name is { Length: > 0 });
        // The operation's own wins over the path's.
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

    private string Apply(string path, IOpenApiParameter parameter)
    {
        var (name, value) = (parameter.Name!, OpenApiValues.Find(parameter));
        var required = parameter.Required || parameter.In == ParameterLocation.Path;
        if (value is null)
        {
            _without.Add(required ? $"{name} ({{{{{Variable(name)}}}}} stands for it)" : $"{name} (left out)");
            value = required ? JsonValue.Create($"{{{{{Variable(name)}}}}}") : null;
        }

        if (value is null)
        {
            return path;
        }

        switch (parameter.In)
        {
            case ParameterLocation.Path:
                return path.Replace(
                    $"{{{name}}}", string.Join(',', OpenApiTexts.Flat(value).Select(ImportedBody.Escape)), StringComparison.Ordinal);
            case ParameterLocation.Query:
                _query.AddRange(OpenApiTexts.Query(name, value, parameter.Style ?? ParameterStyle.Form, parameter.Explode));
                break;
            case ParameterLocation.Header:
                headers.Add(name, string.Join(',', OpenApiTexts.Flat(value)));
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

    /// <summary>As a variable of a session may be called.</summary>
    private static string Variable(string name) =>
        string.Concat(name.Take(100).Select(c => char.IsAsciiLetterOrDigit(c) || c is '_' or '-' or '.' ? c : '_'));
}
