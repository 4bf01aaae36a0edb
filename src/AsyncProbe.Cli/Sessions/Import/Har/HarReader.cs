using System.Text.Json;

namespace AsyncProbe.Cli.Sessions.Import.Har;

/// <summary>
/// Reads the requests of a capture (HAR 1.2) as a stream. It skips the responses, which make up most of a capture, so memory doesn't grow
/// with the file.
/// </summary>
internal sealed class HarReader
{
    /// <summary>Longer bodies are left out.</summary>
    public const int LongestText = 1024 * 1024;

    /// <summary>The size limits of one request, and of all bodies together.</summary>
    private const int LargestRequest = 8 * 1024 * 1024;
    private const long LargestBodies = 64L * 1024 * 1024;

    private readonly SessionDiagnostics _diagnostics = [];
    private readonly List<SessionRequest> _requests = [];
    private readonly ImportedSecrets _secrets = new();
    private readonly HarRequest _request;
    private readonly string _source;
    private string? _top;
    private string? _second;
    private bool _atRequest;
    private int _entry = -1;
    private int _line = 1;
    private int _counted;
    private long _bodies;

    private HarReader(string source)
    {
        _source = source;
        _request = new(_secrets, (severity, path, message) => _diagnostics.Add(new(severity, _line, $"{path}: {message}")));
    }

    private bool IsFull => _requests.Count > SessionLimits.ActiveRequests;

    /// <exception cref="SessionException">A request, or all of them, are too large.</exception>
    public static Session Read(Stream stream, string source)
    {
        var reader = new HarReader(source);
        try
        {
            reader.Read(new ShortenedJson(stream, LongestText));
        }
        catch (JsonException e)
        {
            reader._diagnostics.Add(new(Severity.Error, (int)(e.LineNumber ?? 0) + 1, "This is not JSON, or it ends too early."));
        }

        var session = new Session { Source = source, Requests = reader._requests, Secrets = reader._secrets.All };
        return reader._diagnostics.Any(diagnostic => diagnostic.Severity == Severity.Error)
            ? session with { Diagnostics = reader._diagnostics.InOrder() }
            : SessionCheck.Complete(session, reader._diagnostics);
    }

    private void Read(ShortenedJson json)
    {
        var buffer = new byte[64 * 1024];
        var state = new JsonReaderState(LenientJson.Reader);
        var (length, ended) = (0, false);
        while (!IsFull)
        {
            var reader = new Utf8JsonReader(buffer.AsSpan(0, length), ended, state);
            _counted = 0;
            while (!IsFull && Step(ref reader, buffer))
            {
            }

            var consumed = (int)reader.BytesConsumed;
            CountLines(buffer, consumed);
            state = reader.CurrentState;
            if (ended)
            {
                return;
            }

            buffer.AsSpan(consumed, length - consumed).CopyTo(buffer);
            length -= consumed;
            if (length > buffer.Length / 2)
            {
                Array.Resize(
                    ref buffer,
                    buffer.Length < 2 * LargestRequest
                        ? buffer.Length * 2
                        : throw new SessionException(
                            $"{_source}({_line}): error: a request of this capture has more than {LargestRequest / 1048576} MB."));
            }

            var read = json.Read(buffer.AsSpan(length));
            ended = read == 0;
            length += read;
        }
    }

    /// <returns>False when more of the document is needed.</returns>
    private bool Step(ref Utf8JsonReader reader, byte[] buffer)
    {
        if (_atRequest)
        {
            // Either the whole request is there, or the reader keeps its position.
            if (!JsonDocument.TryParseValue(ref reader, out var request))
            {
                return false;
            }

            _atRequest = false;
            using (request)
            {
                Add(request.RootElement);
            }

            return true;
        }

        if (!reader.Read())
        {
            return false;
        }

        var inEntries = _top == "log" && _second == "entries";
        switch (reader.TokenType)
        {
            case JsonTokenType.PropertyName when reader.CurrentDepth == 1:
                (_top, _second) = (reader.ValueTextEquals("log"u8) ? "log" : null, null);
                break;
            case JsonTokenType.PropertyName when reader.CurrentDepth == 2:
                _second = reader.ValueTextEquals("entries"u8) ? "entries" : null;
                break;
            case JsonTokenType.StartObject when inEntries && reader.CurrentDepth == 3:
                _entry++;
                break;
            case JsonTokenType.PropertyName when inEntries && reader.CurrentDepth == 4 && reader.ValueTextEquals("request"u8):
                CountLines(buffer, (int)reader.TokenStartIndex);
                _atRequest = true;
                break;
            default:
                break;
        }

        return true;
    }

    private void CountLines(byte[] buffer, int to)
    {
        _line += buffer.AsSpan(_counted, Math.Max(0, to - _counted)).Count((byte)'\n');
        _counted = Math.Max(_counted, to);
    }

    private void Add(JsonElement element)
    {
        if (_request.Read(element, $"$.log.entries[{_entry}].request") is not { } request)
        {
            return;
        }

        _bodies += request.Body.Length;
        if (_bodies > LargestBodies)
        {
            throw new SessionException(
                $"{_source}({_line}): error: the bodies of this capture have more than {LargestBodies / 1048576} MB together.");
        }

        _requests.Add(request with { Line = _line });
    }
}
