using System.Text.Json;

namespace AsyncProbe.Cli.Sessions;

/// <summary>The line of every option, found in one pass: searching for each one separately would take quadratic time.</summary>
internal sealed class OptionLines
{
    private readonly Dictionary<string, int> _lines = new(StringComparer.OrdinalIgnoreCase);
    private readonly int _firstLine;

    /// <param name="json">The options block, already known to be valid.</param>
    /// <param name="firstLine">The number of its first line in the file.</param>
    public OptionLines(ReadOnlySpan<byte> json, int firstLine)
    {
        _firstLine = firstLine;
        var (line, counted) = (firstLine, 0);
        var reader = new Utf8JsonReader(json, LenientJson.Reader);
        while (reader.Read() && (reader.TokenType != JsonTokenType.EndObject || reader.CurrentDepth > 0))
        {
            if (reader.TokenType == JsonTokenType.PropertyName && reader.CurrentDepth == 1)
            {
                var at = (int)reader.TokenStartIndex;
                line += json[counted..at].Count((byte)'\n');
                counted = at;
                // If two names are equal, the last one counts.
                _lines[reader.GetString()!] = line;
            }
        }
    }

    public int Find(string option) => _lines.GetValueOrDefault(option, _firstLine);
}
