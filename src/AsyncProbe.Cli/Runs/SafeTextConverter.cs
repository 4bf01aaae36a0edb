using System.Text.Json;
using System.Text.Json.Serialization;
using AsyncProbe.Cli.Sessions;

namespace AsyncProbe.Cli.Runs;

/// <summary>
/// Makes all text of a result safe when it is written, and again when it is read, because a saved run can come from anyone.
/// </summary>
internal sealed class SafeTextConverter : JsonConverter<string>
{
    public override string? Read(ref Utf8JsonReader reader, Type typeToConvert, JsonSerializerOptions options)
    {
        try
        {
            return reader.GetString() is { } text ? SafeText.From(text) : null;
        }
        catch (InvalidOperationException e)
        {
            throw new JsonException("The text contains half of a surrogate pair.", e);
        }
    }

    public override void Write(Utf8JsonWriter writer, string value, JsonSerializerOptions options) =>
        writer.WriteStringValue(SafeText.From(value));

    public override string ReadAsPropertyName(ref Utf8JsonReader reader, Type typeToConvert, JsonSerializerOptions options) =>
        Read(ref reader, typeToConvert, options) ?? "";

    public override void WriteAsPropertyName(Utf8JsonWriter writer, string value, JsonSerializerOptions options) =>
        writer.WritePropertyName(SafeText.From(value));
}
