using System.Text.Json;
using AsyncProbe.Cli.Sessions.Import.Json;
using Microsoft.OpenApi;
using Microsoft.OpenApi.Reader;

namespace AsyncProbe.Cli.Sessions.Import.OpenApi;

/// <summary>
/// Creates requests from an OpenAPI document: its GETs, and other operations that were asked for. It fetches only that document. If a
/// <c>$ref</c> points to another one, that part is missing and a diagnostic says so.
/// </summary>
internal sealed class OpenApiReader
{
    private readonly JsonDiagnostics _diagnostics = new();
    private readonly List<SessionRequest> _requests = [];
    private readonly HashSet<string> _wanted;
    private readonly Uri? _place;
    private readonly List<string> _others = [];

    private OpenApiReader(IEnumerable<string> operations, Uri? place)
    {
        _wanted = new(operations, StringComparer.OrdinalIgnoreCase);
        _place = place;
    }

    /// <param name="json">The document.</param>
    /// <param name="operations">The operations to import in addition to GETs: ids, or verb and path.</param>
    /// <param name="place">The URL that it was fetched from; its servers may be relative to that.</param>
    /// <exception cref="SessionException">A requested operation is missing.</exception>
    public static Session Read(ReadOnlyMemory<byte> json, string source, IReadOnlyList<string> operations, Uri? place)
    {
        var reader = new OpenApiReader(operations, place);
        try
        {
            using (var raw = JsonDocument.Parse(json))
            {
                OpenApiReferences.FindRemote(raw.RootElement, reader._diagnostics.Add);
            }

            reader.ReadDocument(json);
        }
        catch (JsonException e)
        {
            return new Session { Source = source, Diagnostics = [new(Severity.Error, (int)(e.LineNumber ?? 0) + 1, "This is not JSON.")] };
        }

        if (reader._wanted.Count > 0)
        {
            throw new SessionException(
                $"{source} has no operation {SafeText.From(string.Join(", ", reader._wanted))}; write its id, or verb and path as in "
                    + $"\"POST /orders\".");
        }

        return reader._diagnostics.Complete(new Session { Source = source, Requests = reader._requests }, json.Span);
    }

    private void ReadDocument(ReadOnlyMemory<byte> json)
    {
        ReadResult result;
        try
        {
            // Without rules, because a document's conformity doesn't matter for its requests.
            var settings = new OpenApiReaderSettings { LoadExternalRefs = false, RuleSet = ValidationRuleSet.GetEmptyRuleSet() };
            result = OpenApiDocument.Load(new MemoryStream(json.ToArray()), "json", settings);
        }
        catch (Exception e) when (e is not OutOfMemoryException)
        {
            // The library may throw any exception on an invalid document.
            _diagnostics.Add(Severity.Error, "$", $"This OpenAPI document cannot be read: {SafeText.From(e.Message.TrimEnd('.'))}.");
            return;
        }

        foreach (var error in result.Diagnostic?.Errors ?? [])
        {
            _diagnostics.Add(Severity.Warning, OpenApiReferences.Path(error.Pointer), SafeText.From(error.Message).TrimEnd('.') + ".");
        }

        if (result.Document is not { } document)
        {
            return;
        }

        foreach (var (path, item) in document.Paths ?? [])
        {
            foreach (var (method, operation) in item?.Operations?.Where(operation => operation.Value is not null) ?? [])
            {
                TryRead(document, (path, item!), method.Method.ToUpperInvariant(), operation);
            }
        }

        ReadRest(document);
    }

    /// <summary>References are resolved only at this point; they may be missing or refer to themselves.</summary>
    private void TryRead(OpenApiDocument document, (string Path, IOpenApiPathItem Item) place, string verb, OpenApiOperation operation)
    {
        try
        {
            ReadOperation(document, place, verb, operation);
        }
        catch (Exception e) when (e is not OutOfMemoryException)
        {
            _diagnostics.Add(
                Severity.Warning, $"$.paths.{place.Path}.{verb.ToLowerInvariant()}",
                $"This operation cannot be read, so it is left out: {SafeText.From(e.Message.TrimEnd('.'))}.");
        }
    }

    private void ReadRest(OpenApiDocument document)
    {
        if (_others.Count > 0)
        {
            _diagnostics.Add(
                Severity.Note, "$.paths",
                $"Only GETs are taken. Add others with --operation: {SafeText.From(string.Join(", ", _others))}.");
        }

        if (document.Components?.SecuritySchemes is { Count: > 0 } schemes)
        {
            _diagnostics.Add(Severity.Warning, "$.components.securitySchemes",
                $"The requests go without authorization ({SafeText.From(string.Join(", ", schemes.Keys))}): give run a header with -H, or "
                    + "add one to the session.");
        }
    }

    private void ReadOperation(
        OpenApiDocument document, (string Path, IOpenApiPathItem Item) place, string verb, OpenApiOperation operation)
    {
        var title = $"{verb} {place.Path}";
        var asked = _wanted.Remove(title) | (operation.OperationId is { } id && _wanted.Remove(id));
        if (verb != "GET" && !asked)
        {
            _others.Add(operation.OperationId is null ? title : $"{title} ({operation.OperationId})");
            return;
        }

        var path = $"$.paths.{place.Path}.{verb.ToLowerInvariant()}";
        var headers = new ImportedHeaders((severity, message) => _diagnostics.Add(severity, path, message));
        var parameters = new OpenApiParameters(path, headers, _diagnostics.Add);
        var url = parameters.Apply(place.Path, place.Item.Parameters, operation.Parameters);
        var servers = operation.Servers is { Count: > 0 } own ? own : place.Item.Servers is { Count: > 0 } paths ? paths : document.Servers;
        var body = verb is "GET" or "HEAD" ? "" : new OpenApiBody(path, headers, _diagnostics.Add).Read(operation.RequestBody);
        _requests.Add(new SessionRequest
        {
            Verb = verb,
            Url = ImportedUrl.Clean(OpenApiServers.Url(servers, _place) + url),
            Headers = headers.All,
            Body = body,
            Name = (operation.OperationId ?? title).ReplaceLineEndings(" "),
            JsonPath = path,
        });
    }
}
