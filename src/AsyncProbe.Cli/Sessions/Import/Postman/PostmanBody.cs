using System.Text.Encodings.Web;
using System.Text.Json;
using System.Text.RegularExpressions;
using AsyncProbe.Cli.Sessions.Import.Json;

namespace AsyncProbe.Cli.Sessions.Import.Postman;

/// <summary>Writes a body of any mode, with the content type that Postman gives it.</summary>
internal sealed partial class PostmanBody(PostmanVariables variables, ImportedSecrets secrets)
{
    private static readonly Dictionary<string, string> s_types = new(StringComparer.Ordinal)
    {
        ["json"] = "application/json", ["xml"] = "application/xml", ["html"] = "text/html", ["javascript"] = "application/javascript",
        ["text"] = "text/plain",
    };

    private static readonly JsonSerializerOptions s_readable = new() { Encoder = JavaScriptEncoder.UnsafeRelaxedJsonEscaping };

    /// <returns>The body, or why the request cannot be sent.</returns>
    public (string Body, string? Problem) Read(JsonElement body, string path, ImportedHeaders headers)
    {
        if (body.ValueKind != JsonValueKind.Object || body.IsTrue("disabled"))
        {
            return ("", null);
        }

        switch (body.Text("mode"))
        {
            case null:
                return ("", null);
            case "raw":
                return (Raw(body, path, headers), null);
            case "urlencoded":
                var pairs = Enabled(body, "urlencoded").Select(pair => Pair(pair, path)).ToList();
                Type(pairs.Count > 0, ImportedBody.FormType);
                return (ImportedBody.Form(pairs), null);
            case "formdata":
                return Parts(body, path, headers);
            case "graphql":
                var (query, problem) = GraphQl(body.Find("graphql"), path);
                Type(problem is null, "application/json");
                return (query, problem);
            case "file":
                return ("", "its body is in another file, which is not read");
            case var other:
                return ("", $"its body's mode \"{SafeText.From(other)}\" is not understood");
        }

        void Type(bool any, string type)
        {
            if (any)
            {
                headers.AddIfMissing("Content-Type", type);
            }
        }
    }

    private string Raw(JsonElement body, string path, ImportedHeaders headers)
    {
        var text = variables.Expand(body.Text("raw") ?? "", path);
        if (text.Length == 0)
        {
            return "";
        }

        var language = body.Find("options").Find("raw").Text("language") ?? "";
        headers.AddIfMissing("Content-Type", s_types.GetValueOrDefault(language, "text/plain"));
        var type = headers.All.First(header => header.Is("Content-Type")).Value;
        var isJson = language.Length > 0 ? language == "json" : JsonType().IsMatch(type);
        return ImportedBody.Text(isJson ? WithoutComments(text) : text);
    }

    /// <summary>Postman removes comments from JSON when it sends it.</summary>
    private static string WithoutComments(string json) => Pieces().Replace(json, piece => piece.Value[0] == '/' ? "" : piece.Value);

    private (string Body, string? Problem) Parts(JsonElement body, string path, ImportedHeaders headers)
    {
        var parts = new List<FormPart>();
        foreach (var part in Enabled(body, "formdata"))
        {
            if (part.Text("type") == "file")
            {
                return ("", $"its part \"{SafeText.From(part.Text("key") ?? "")}\" is a file, which is not read");
            }

            var (name, value) = Pair(part, path);
            parts.Add(new(name, value, part.Text("contentType")));
        }

        if (parts.Count == 0)
        {
            return ("", null);
        }

        var (text, type) = ImportedBody.Multipart(parts);
        // The boundary belongs to the body, so a content type without it would make the body unreadable.
        headers.Set("Content-Type", type);
        return (text, null);
    }

    private (string Body, string? Problem) GraphQl(JsonElement graphQl, string path)
    {
        var written = graphQl.Find("variables");
        var values = variables.Expand(written.ValueKind == JsonValueKind.Object ? written.GetRawText() : written.Text() ?? "", path);
        try
        {
            // Only check the variables: Postman sends them as they are written.
            using var checkedValues = JsonDocument.Parse(values.Length == 0 ? "{}" : values);
        }
        catch (JsonException)
        {
            return ("", "the variables of its GraphQL query are not JSON");
        }

        var operation = graphQl.Text("operationName") is { Length: > 0 } name
            ? $",\"operationName\":{Quoted(variables.Expand(name, path))}"
            : "";
        return ($"{{\"query\":{Quoted(variables.Expand(graphQl.Text("query") ?? "", path))}{operation}{(values.Length == 0 ? "" : ",\"variables\":" + values)}}}", null);

        static string Quoted(string text) => JsonSerializer.Serialize(text, s_readable);
    }

    private static IEnumerable<JsonElement> Enabled(JsonElement body, string mode) =>
        body.Items(mode).Select(item => item.Value).Where(item => !item.IsTrue("disabled") && item.Text("key") is not null);

    private (string Name, string Value) Pair(JsonElement pair, string path)
    {
        var (name, value) = (variables.Expand(pair.Text("key") ?? "", path), variables.Expand(pair.Text("value") ?? "", path));
        secrets.AddIfNamedSo(name, value);
        return (name, value);
    }

    [GeneratedRegex(@"^application/(\S+\+)?json")]
    private static partial Regex JsonType();

    /// <summary>A string, a variable or a comment.</summary>
    [GeneratedRegex(@"""(?>(?:[^""\\]+|\\.)*)""?|\{\{[^{}]*\}\}|//[^\n]*|/\*.*?(?:\*/|\z)", RegexOptions.Singleline)]
    private static partial Regex Pieces();
}
