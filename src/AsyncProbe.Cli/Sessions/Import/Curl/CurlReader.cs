using System.Text.Json.Nodes;

namespace AsyncProbe.Cli.Sessions.Import.Curl;

/// <summary>
/// Reads <c>curl …</c> commands from a file or from the text of one command. Anything that it doesn't understand becomes a diagnostic with
/// its line.
/// </summary>
internal sealed class CurlReader
{
    private readonly SessionDiagnostics _diagnostics = [];
    private readonly List<SessionRequest> _requests = [];
    private readonly ImportedSecrets _secrets = new();
    private bool _keepsCookies;

    private bool IsFull => _requests.Count > SessionLimits.Requests;

    /// <summary>Whether the text begins with a curl command.</summary>
    public static bool IsOne(string text) => text.AsSpan().TrimStart().StartsWith("curl ", StringComparison.Ordinal);

    public static Session Read(string text, string source)
    {
        var reader = new CurlReader();
        foreach (var command in ShellWords.Split(text.TrimStart('\uFEFF')))
        {
            reader.ReadCommand(command);
            if (reader.IsFull)
            {
                reader.Add(Severity.Error, command.Line, SessionLimits.TooManyRequests);
                break;
            }
        }

        var session = new Session
        {
            Source = source,
            Requests = reader._requests,
            Secrets = reader._secrets.All,
            WrittenOptions = reader.Options(),
        };
        return SessionCheck.Complete(session, reader._diagnostics);
    }

    /// <summary>One command's cookies are not sent by the next.</summary>
    private SessionOptions? Options() =>
        _keepsCookies ? null : new(new JsonObject { [nameof(SessionOptions.TrackPerSessionCookies)] = false });

    private void ReadCommand(ShellCommand command)
    {
        // The prompt may have been copied with the command.
        var words = command.Words[0].Text == "$" ? command.Words.Skip(1).ToList() : command.Words;
        if (words.Count == 0 || Path.GetFileName(words[0].Text.Replace('\\', '/')) is not ("curl" or "curl.exe"))
        {
            Add(Severity.Warning, command.Line, $"\"{SafeText.From(command.Words[0].Text)}\" is not curl, so this command is left out.");
            return;
        }

        if (command.Problem is not null)
        {
            Add(Severity.Error, command.Line, $"This command cannot be read: {command.Problem}.");
            return;
        }

        foreach (var part in new CurlWords(Add).Read([.. words.Skip(1)]))
        {
            _keepsCookies |= part.KeepsCookies;
            ReadRequests(part, command.Line);
        }
    }

    private void ReadRequests(CurlCommand command, int line)
    {
        if (command.Urls.Count == 0)
        {
            Add(Severity.Warning, line, "This command has no URL, so it is left out.");
        }

        if (command.Problem is not null)
        {
            Add(Severity.Warning, line, $"The request is inactive, because {command.Problem}.");
        }

        if ((long)command.Urls.Count * command.HeaderLines.Count > SessionLimits.HeadersOfCommand)
        {
            Add(
                Severity.Error, line,
                $"This command sends {command.HeaderLines.Count} headers to each of {command.Urls.Count} URLs, "
                    + "which is too many to read. Split it into several commands.");
            return;
        }

        var length = command.LengthForEachUrl;
        if (command.Urls.Count > 1 && command.Urls.Count * length > SessionLimits.LengthOfCommand)
        {
            Add(
                Severity.Error, line,
                $"This command sends {length} characters to each of {command.Urls.Count} URLs, "
                    + "which is too many to read. Split it into several commands.");
            return;
        }

        foreach (var url in command.Urls.TakeWhile(_ => !IsFull))
        {
            ReadRequest(command, url, line);
        }
    }

    private void ReadRequest(CurlCommand command, string typed, int line)
    {
        if (!command.Verb.All(char.IsAsciiLetter) || command.Verb == "CONNECT")
        {
            Add(Severity.Error, line, $"\"{SafeText.From(command.Verb)}\" is not a verb that can be sent.");
            return;
        }

        if (command.Method is { Length: > 0 } verb && verb != command.Verb)
        {
            Add(Severity.Warning, line, $"curl sends the verb {verb} as it is typed; here it is sent as {command.Verb}.");
        }

        if (!command.NoGlobs
            && typed.Replace("{{", "", StringComparison.Ordinal).Replace("}}", "", StringComparison.Ordinal).AsSpan()
                .ContainsAny('[', ']', '{'))
        {
            Add(Severity.Warning, line, "curl would make several URLs of the brackets in this one; here it is sent as it is written.");
        }

        var headers = new ImportedHeaders((severity, message) => Add(severity, line, message));
        var url = Url(command, typed, headers);
        var body = Body(command, headers);
        CurlHeaders.AddTo(headers, command, (severity, message) => Add(severity, line, message));
        if (command.Verb == "GET" && body.Length > 0)
        {
            Add(Severity.Warning, line, "A GET request's body is not sent, as in WebSurge; use another verb to send one.");
            body = "";
        }

        _requests.Add(
            new SessionRequest { Verb = command.Verb, Url = url, Headers = headers.All, Body = body, Inactive = command.Problem is not null,
                Line = line });
    }

    private static string Url(CurlCommand command, string typed, ImportedHeaders headers)
    {
        var url = ImportedUrl.SchemeLength(typed) > 0 || typed.StartsWith("{{", StringComparison.Ordinal)
            ? typed
            : "http://" + typed;
        (url, var user) = ImportedUrl.TakeUser(url);
        if (user is not null)
        {
            headers.Set("Authorization", ImportedUrl.Basic(user));
        }

        url = ImportedUrl.Clean(url);
        List<string> queries = command.Get && command.Data is { Length: > 0 } data
            ? [ImportedUrl.Clean(data), .. command.Queries]
            : command.Queries;
        return queries.Count == 0
            ? url
            : url + (url.Contains('?', StringComparison.Ordinal) ? "&" : "?") + string.Join('&', queries);
    }

    private string Body(CurlCommand command, ImportedHeaders headers)
    {
        if (command.Parts.Count > 0)
        {
            foreach (var part in command.Parts)
            {
                _secrets.AddIfNamedSo(part.Name, part.Value);
            }

            var (body, type) = ImportedBody.Multipart(command.Parts);
            headers.Set("Content-Type", type);
            return body;
        }

        if (command.Data is null || command.Get)
        {
            return "";
        }

        headers.Set("Content-Type", command.Json ? "application/json" : ImportedBody.FormType);
        return ImportedBody.Text(command.Data);
    }

    private void Add(Severity severity, int line, string message) => _diagnostics.Add(new(severity, line, message));
}
