using System.Text;
using System.Text.Json;

namespace AsyncProbe.Cli.Sessions;

/// <summary>Finds and reads the block between the two option markers.</summary>
internal static class OptionsBlock
{
    public const string Start = "----- Start WebSurge Options -----";
    public const string End = "----- End WebSurge Options -----";

    public static SessionOptions? Read(string text, LineIndex lines, SessionDiagnostics diagnostics, out int requestsEnd)
    {
        // Version 1 ends the requests only at the exact marker, but finds the options with the marker in any case.
        var cut = text.IndexOf(Start, StringComparison.Ordinal);
        requestsEnd = cut < 0 ? text.Length : cut;
        var start = text.IndexOf(Start, StringComparison.OrdinalIgnoreCase);
        if (start < 0)
        {
            return null;
        }

        var line = lines.LineAt(start);
        if (cut < 0)
        {
            diagnostics.Add(
                new(Severity.Warning, line, "The marker's case differs from WebSurge's, so the options are read as a request too."));
        }

        var from = start + Start.Length;
        var to = text.IndexOf(End, from, StringComparison.OrdinalIgnoreCase);
        if (to < 0)
        {
            diagnostics.Add(new(Severity.Warning, line, $"The options are ignored, because \"{End}\" is missing."));
            return null;
        }

        if (!string.IsNullOrWhiteSpace(text[(to + End.Length)..]))
        {
            diagnostics.Add(
                new(Severity.Warning, lines.LineAt(to + End.Length), "What follows the options is ignored; they must come last."));
        }

        return Parse(text[from..to], line, diagnostics);
    }

    private static SessionOptions? Parse(string json, int firstLine, SessionDiagnostics diagnostics)
    {
        try
        {
            // The reader stops after the first value, so the comment lines after it are not read.
            var bytes = Encoding.UTF8.GetBytes(json);
            var reader = new Utf8JsonReader(bytes, LenientJson.Reader);
            using var document = JsonDocument.ParseValue(ref reader);
            if (document.RootElement.ValueKind == JsonValueKind.Object)
            {
                var options = new SessionOptions(LenientJson.ToObject(document.RootElement));
                OptionsCheck.Run(options, new OptionLines(bytes, firstLine), diagnostics);
                return options;
            }

            diagnostics.Add(new(Severity.Warning, firstLine, "The options are not a JSON object, so defaults are used."));
        }
        catch (Exception e) when (e is JsonException or ArgumentException or InvalidOperationException)
        {
            var line = firstLine + (int)((e as JsonException)?.LineNumber ?? 0);
            diagnostics.Add(
                new(Severity.Warning, line, "The options are not valid JSON here, so defaults are used (as WebSurge does, silently)."));
        }

        return null;
    }
}
