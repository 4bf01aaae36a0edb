using System.Text.Json;
using AsyncProbe.Cli.Sessions.Import.Json;

namespace AsyncProbe.Cli.Sessions.Import.Postman;

/// <summary>
/// Reads a Postman collection (v2.1 or v2.0): folders, variables, authorization, bodies. Scripts are not run. Anything that it doesn't
/// understand becomes a diagnostic with its line and path.
/// </summary>
internal sealed class PostmanReader
{
    /// <summary>Every request of a collection may have a test, which must not hide the other diagnostics.</summary>
    private const int MostNames = 10;

    private static readonly HashSet<string> s_withoutBody = ["GET", "HEAD"];

    private readonly JsonDiagnostics _diagnostics = new();
    private readonly List<SessionRequest> _requests = [];
    private readonly List<string> _tests = [];
    private readonly ImportedSecrets _secrets;
    private readonly PostmanVariables _variables;
    private readonly PostmanUrl _url;
    private readonly PostmanAuth _auth;
    private readonly PostmanBody _body;

    private PostmanReader(IReadOnlyDictionary<string, string> environment, ImportedSecrets secrets)
    {
        _secrets = secrets;
        _variables = new(environment, _diagnostics.Add);
        _url = new(_variables, secrets, _diagnostics.Add);
        _auth = new(_variables, secrets, _diagnostics.Add);
        _body = new(_variables, secrets);
    }

    /// <param name="json">The collection, without a byte order mark.</param>
    /// <param name="environment">The values of the chosen environment.</param>
    /// <param name="secrets">The known secrets of the environment.</param>
    public static Session Read(
        ReadOnlyMemory<byte> json, string source, IReadOnlyDictionary<string, string> environment, ImportedSecrets secrets)
    {
        try
        {
            using var document = JsonDocument.Parse(json, LenientJson.Document);
            var reader = new PostmanReader(environment, secrets);
            reader.ReadCollection(document.RootElement);
            return reader._diagnostics.Complete(
                new Session { Source = source, Requests = reader._requests, Secrets = secrets.All }, json.Span);
        }
        catch (JsonException e)
        {
            return new Session { Source = source, Diagnostics = [new(Severity.Error, (int)(e.LineNumber ?? 0) + 1, "This is not JSON.")] };
        }
    }

    private void ReadCollection(JsonElement root)
    {
        // An export of Postman's API wraps the collection.
        var (collection, path) = root.Find("collection").ValueKind == JsonValueKind.Object
            ? (root.Find("collection"), "$.collection")
            : (root, "$");
        var schema = collection.Find("info").Text("schema") ?? "";
        if (!schema.Contains("/v2.", StringComparison.Ordinal))
        {
            _diagnostics.Add(
                Severity.Warning, path,
                "This does not say that it is a collection of version 2.1 (info.schema); export it as Collection v2.1.");
        }

        _variables.Add(PostmanEnvironment.Read(collection.Find("variable"), _secrets));
        ReadItems(collection, path, "", (default, path));
        if (_tests.Count > 0)
        {
            var others = _tests.Count > MostNames ? $" and {_tests.Count - MostNames} more" : "";
            _diagnostics.Add(
                Severity.Note, path,
                $"Test scripts are not run ({_tests.Count}): those of {SafeText.From(string.Join(", ", _tests.Take(MostNames)))}{others}.");
        }
    }

    private void ReadItems(JsonElement folder, string path, string name, (JsonElement Auth, string Path) inherited)
    {
        if (name.Length > 0 && folder.Items("variable").Any())
        {
            _diagnostics.Add(Severity.Note, path, "The variables of a folder have no effect, as in Postman.");
        }

        ReadScripts(folder, path, name.Length == 0 ? "the collection" : name);
        var auth = Auth(folder, path, inherited);
        foreach (var (item, index) in folder.Items("item"))
        {
            var place = $"{path}.item[{index}]";
            var own = OneLine(item.Text("name") ?? "");
            var full = name.Length == 0 ? own : $"{name} / {own}";
            if (item.Find("item").ValueKind == JsonValueKind.Array)
            {
                ReadItems(item, place, full, auth);
            }
            else if (item.Find("request").ValueKind is JsonValueKind.Object or JsonValueKind.String)
            {
                ReadScripts(item, place, full);
                ReadRequest(item, place, full, auth);
            }
            else
            {
                _diagnostics.Add(Severity.Warning, place, "This is neither a folder nor a request, so it is left out.");
            }
        }
    }

    private static (JsonElement Auth, string Path) Auth(JsonElement owner, string path, (JsonElement Auth, string Path) inherited) =>
        owner.Find("auth").ValueKind == JsonValueKind.Object ? (owner.Find("auth"), path + ".auth") : inherited;

    private void ReadScripts(JsonElement owner, string path, string name)
    {
        foreach (var (script, index) in owner.Items("event"))
        {
            var code = script.Find("script").Find("exec");
            var isEmpty = string.IsNullOrWhiteSpace(code.Text()) && code.Items().All(line => string.IsNullOrWhiteSpace(line.Value.Text()));
            if (isEmpty || script.IsTrue("disabled"))
            {
                continue;
            }

            if (script.Text("listen") == "test")
            {
                _tests.Add(name);
            }
            else
            {
                _diagnostics.Add(Severity.Warning, $"{path}.event[{index}]",
                    $"The script \"{SafeText.From(script.Text("listen") ?? "")}\"{(name.Length == 0 ? "" : $" of {SafeText.From(name)}")} is "
                        + "skipped, so the variables that it sets have no value.");
            }
        }
    }

    private void ReadRequest(JsonElement item, string itemPath, string name, (JsonElement Auth, string Path) inherited)
    {
        var (request, path) = (item.Find("request"), itemPath + ".request");
        var verb = _variables.Expand(request.Text("method") ?? "GET", path).ToUpperInvariant();
        var url = _url.Read(request.ValueKind == JsonValueKind.String ? request : request.Find("url"), path + ".url");
        if (verb.Length == 0 || !verb.All(char.IsAsciiLetterUpper) || verb == "CONNECT" || url.Length == 0)
        {
            _diagnostics.Add(
                Severity.Warning, path,
                url.Length == 0
                    ? "The request has no URL, so it is left out."
                    : $"\"{SafeText.From(verb)}\" is not a verb that can be sent, so the request is left out.");
            return;
        }

        if (item.Find("protocolProfileBehavior").ValueKind == JsonValueKind.Object)
        {
            _diagnostics.Add(Severity.Note, itemPath + ".protocolProfileBehavior", "This is not understood, so it has no effect.");
        }

        var headers = new ImportedHeaders((severity, message) => _diagnostics.Add(severity, path, message));
        ReadHeaders(request, path, headers);
        var (auth, place) = Auth(request, path, inherited);
        (url, var user) = ImportedUrl.TakeUser(_auth.Apply(auth, place, url, headers));
        if (user is not null)
        {
            headers.AddIfMissing("Authorization", ImportedUrl.Basic(user));
        }

        var (body, problem) = s_withoutBody.Contains(verb) ? Pruned(item, path) : _body.Read(request.Find("body"), path + ".body", headers);
        if (problem is not null)
        {
            _diagnostics.Add(Severity.Warning, path + ".body", $"The request is inactive, because {problem}.");
        }

        _requests.Add(new SessionRequest
        {
            Verb = verb, Url = url, Headers = headers.All, Body = body, Name = name.Length == 0 ? null : name,
            Inactive = problem is not null, JsonPath = path,
        });
    }

    private void ReadHeaders(JsonElement request, string path, ImportedHeaders headers)
    {
        var list = request.Find("header");
        foreach (var line in (list.Text() ?? "").Split('\n', StringSplitOptions.RemoveEmptyEntries | StringSplitOptions.TrimEntries))
        {
            var colon = line.IndexOf(':', StringComparison.Ordinal);
            headers.Add(colon < 0 ? line : line[..colon], colon < 0 ? "" : _variables.Expand(line[(colon + 1)..], path));
        }

        foreach (var (header, index) in list.Items())
        {
            if (!header.IsTrue("disabled") && header.Text("key") is { Length: > 0 } key)
            {
                var (name, value) =
                    (_variables.Expand(key, path), _variables.Expand(header.Text("value") ?? "", $"{path}.header[{index}]"));
                _secrets.AddIfNamedSo(name, name.Equals("Authorization", StringComparison.OrdinalIgnoreCase) ? null : value);
                headers.Add(name, value);
            }
        }
    }

    /// <summary>By default, Postman sends no body with these verbs either.</summary>
    private (string Body, string? Problem) Pruned(JsonElement item, string path)
    {
        if (item.Find("protocolProfileBehavior").IsTrue("disableBodyPruning"))
        {
            _diagnostics.Add(
                Severity.Warning, path + ".body", "The body of a GET or HEAD is not sent, as in WebSurge; use another verb to send one.");
        }

        return ("", null);
    }

    private static string OneLine(string name) => name.ReplaceLineEndings(" ").Trim();
}
