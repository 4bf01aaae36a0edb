using System.Buffers;
using System.Text;
using System.Text.Encodings.Web;
using System.Text.Json;
using AsyncProbe.Cli.Sessions;
using AsyncProbe.Cli.Snapshots;

namespace AsyncProbe.Cli.Server;

/// <summary>Prepares a server's profile for a file: it contains nothing but text that is safe to print.</summary>
internal static class SafeProfile
{
    private static readonly JsonWriterOptions s_options = new() { Encoder = JavaScriptEncoder.UnsafeRelaxedJsonEscaping };

    /// <exception cref="JsonException">It is not JSON, or not a speedscope profile.</exception>
    public static string FromJson(ReadOnlyMemory<byte> profile)
    {
        using var json = JsonDocument.Parse(profile);
        if (json.RootElement.Child("profiles").ValueKind != JsonValueKind.Array)
        {
            throw new JsonException("There are no profiles in it.");
        }

        var buffer = new ArrayBufferWriter<byte>();
        using (var writer = new Utf8JsonWriter(buffer, s_options))
        {
            Write(json.RootElement, writer);
        }

        return Encoding.UTF8.GetString(buffer.WrittenSpan);
    }

    /// <exception cref="JsonException">A line does not end in a number.</exception>
    public static string FromLines(string profile)
    {
        var lines = profile.Split('\n', StringSplitOptions.RemoveEmptyEntries);
        return Array.TrueForAll(lines, line => long.TryParse(line.AsSpan(line.LastIndexOf(' ') + 1), out _))
            ? string.Concat(lines.Select(Line))
            : throw new JsonException("A line of a collapsed profile ends in a number.");
    }

    // Frame by frame, because a text that is too long is cut: a deep stack must keep its last frames and the number.
    private static string Line(string line)
    {
        var number = Math.Max(line.LastIndexOf(' '), 0);
        return string.Join(';', line[..number].Split(';').Select(SafeText.From)) + SafeText.From(line[number..]) + "\n";
    }

    private static void Write(JsonElement element, Utf8JsonWriter writer)
    {
        switch (element.ValueKind)
        {
            case JsonValueKind.Object:
                writer.WriteStartObject();
                foreach (var property in element.EnumerateObject())
                {
                    writer.WritePropertyName(SafeText.From(property.Name));
                    Write(property.Value, writer);
                }

                writer.WriteEndObject();
                break;
            case JsonValueKind.Array:
                writer.WriteStartArray();
                foreach (var item in element.EnumerateArray())
                {
                    Write(item, writer);
                }

                writer.WriteEndArray();
                break;
            case JsonValueKind.String:
                writer.WriteStringValue(SafeText.From(element.GetString()!));
                break;
            default:
                element.WriteTo(writer);
                break;
        }
    }
}
