using System.Text;
using System.Text.Json;

namespace AsyncProbe.Cli.Sessions.Import.Json;

/// <summary>Finds the lines where the parts of a JSON document begin. It looks only for objects and arrays.</summary>
internal sealed class JsonLines
{
    private readonly Dictionary<string, int> _lines = new(StringComparer.Ordinal);
    private readonly HashSet<string> _wanted;

    private JsonLines(HashSet<string> wanted) => _wanted = wanted;

    /// <param name="json">A valid document.</param>
    /// <param name="paths">Paths such as <c>$.item[2].request</c>.</param>
    public static JsonLines Find(ReadOnlySpan<byte> json, IEnumerable<string> paths)
    {
        var wanted = new HashSet<string>(StringComparer.Ordinal);
        foreach (var path in paths)
        {
            for (var part = path; part.Length > 0 && wanted.Add(part); part = Parent(part))
            {
            }
        }

        var lines = new JsonLines(wanted);
        lines.Read(json);
        return lines;
    }

    /// <summary>The line of the part, or of the nearest part that contains it.</summary>
    public int FindLine(string path)
    {
        for (var part = path; part.Length > 0; part = Parent(part))
        {
            if (_lines.TryGetValue(part, out var line))
            {
                return line;
            }
        }

        return 1;
    }

    private static string Parent(string path) => path[..Math.Max(0, path.LastIndexOfAny(['.', '[']))];

    private void Read(ReadOnlySpan<byte> json)
    {
        var reader = new Utf8JsonReader(json, LenientJson.Reader);
        var path = new StringBuilder("$");
        // For each open object or array, the length of its path and its next index; -1 for an object.
        var open = new Stack<(int Length, int Next)>();
        var (line, counted, property) = (1, 0, (string?)null);
        while (reader.Read())
        {
            switch (reader.TokenType)
            {
                case JsonTokenType.PropertyName:
                    property = reader.ValueSpan.Length <= 100 ? Encoding.UTF8.GetString(reader.ValueSpan) : "…";
                    break;
                case JsonTokenType.EndObject or JsonTokenType.EndArray:
                    open.Pop();
                    break;
                default:
                    var start = (int)reader.TokenStartIndex;
                    line += json[counted..start].Count((byte)'\n');
                    counted = start;
                    Value(ref reader, line);
                    break;
            }
        }

        void Value(ref Utf8JsonReader value, int at)
        {
            if (open.TryPop(out var parent))
            {
                path.Length = parent.Length;
                _ = parent.Next < 0 ? path.Append('.').Append(property) : path.Append('[').Append(parent.Next++).Append(']');
                open.Push(parent);
            }

            if (value.TokenType is JsonTokenType.StartObject or JsonTokenType.StartArray)
            {
                if (path.Length <= 1000 && path.ToString() is var name && _wanted.Contains(name))
                {
                    _lines.TryAdd(name, at);
                }

                open.Push((path.Length, value.TokenType == JsonTokenType.StartArray ? 0 : -1));
            }
        }
    }
}
