using System.Text.Json;
using System.Text.RegularExpressions;
using AsyncProbe.Cli.Sessions.Import.Json;

namespace AsyncProbe.Cli.Sessions.Import.Postman;

/// <summary>Assembles a URL as Postman sends it: from its parts if it has any, otherwise from its text.</summary>
internal sealed partial class PostmanUrl(PostmanVariables variables, ImportedSecrets secrets, Action<Severity, string, string> say)
{
    public string Read(JsonElement url, string path)
    {
        var text = url.Find("host").ValueKind == JsonValueKind.Undefined
            ? variables.Expand(url.Text() ?? url.Text("raw") ?? "", path)
            : FromParts(url, path);
        if (Unknown().Match(text) is { Success: true } unknown)
        {
            say(
                Severity.Warning, path,
                $"{SafeText.From(unknown.Value)} has no value, so the URL is relative: give --env with the environment's file, or "
                    + "--base-url.");
            text = text[unknown.Length..];
            return ImportedUrl.Clean(text.StartsWith('/') ? text : "/" + text);
        }

        return text.Length == 0 ? "" : ImportedUrl.Clean(ImportedUrl.SchemeLength(text) > 0 ? text : "http://" + text);
    }

    private string FromParts(JsonElement url, string path)
    {
        var protocol = url.Text("protocol") is { Length: > 0 } known
            ? Expand(known).Replace("://", "", StringComparison.Ordinal) + "://"
            : "";
        var port = url.Text("port") is { Length: > 0 } number ? ":" + Expand(number) : "";
        var values = url.Items("variable").Select(item => item.Value).Where(item => item.Text("key") is not null)
            .ToLookup(item => item.Text("key")!, item => Expand(item.Text("value") ?? ""));
        var segments = url.Find("path").ValueKind == JsonValueKind.String
            ? Expand(url.Text("path")!).TrimStart('/').Split('/')
            : url.Items("path").Select(item => Expand(item.Value.Text() ?? item.Value.Text("value") ?? ""));
        var text = protocol + Expand(List(url.Find("host"), ".")) + port
            + string.Concat(segments.Select(segment => "/" + Segment(segment)));
        var query = url.Items("query").Select(item => item.Value).Where(item => !item.IsTrue("disabled")).Select(Pair).ToList();
        return query.Count == 0 ? text : text + (text.Contains('?', StringComparison.Ordinal) ? "&" : "?") + string.Join('&', query);

        string Expand(string part) => variables.Expand(part, path);

        string Segment(string segment) =>
            segment.StartsWith(':') && values[segment[1..]].FirstOrDefault() is { Length: > 0 } value ? value : segment;

        string Pair(JsonElement pair)
        {
            var (name, value) = (Expand(pair.Text("key") ?? ""), pair.Text("value"));
            if (value is null)
            {
                return Escape(name);
            }

            var sent = Expand(value);
            secrets.AddIfNamedSo(name, sent);
            return $"{Escape(name).Replace("=", "%3D", StringComparison.Ordinal)}={Escape(sent)}";
        }
    }

    private static string List(JsonElement list, string separator) =>
        list.Text() ?? string.Join(separator, list.Items().Select(item => item.Value.Text() ?? ""));

    /// <summary>Encodes what would end a name or value early. Anything that is already encoded stays as it is, as in Postman.</summary>
    private static string Escape(string text) =>
        text.Replace("#", "%23", StringComparison.Ordinal).Replace("&", "%26", StringComparison.Ordinal);

    [GeneratedRegex(@"^\{\{[^{}]*\}\}")]
    private static partial Regex Unknown();
}
