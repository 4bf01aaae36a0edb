using System.Buffers;
using System.Text.Encodings.Web;
using System.Text.Json;
using System.Text.Json.Serialization;
using System.Text.Json.Serialization.Metadata;

namespace AsyncProbe.Reporting.Json;

/// <summary>Writes the JSON answers of the <c>/_threadpool</c> addresses.</summary>
[JsonSourceGenerationOptions(PropertyNamingPolicy = JsonKnownNamingPolicy.CamelCase)]
[JsonSerializable(typeof(Report))]
[JsonSerializable(typeof(SnapshotReport))]
[JsonSerializable(typeof(SpeedscopeReport))]
[JsonSerializable(typeof(TreeReport))]
internal sealed partial class ReportJson : JsonSerializerContext
{
    // Leaves "×" and "<" unescaped for people who use curl. That's safe, because the answer is never HTML and says "nosniff".
    private static readonly JsonWriterOptions s_options = new()
    {
        Encoder = JavaScriptEncoder.UnsafeRelaxedJsonEscaping,
        SkipValidation = true,
    };

    private static ReportJson? s_renewed;

    /// <param name="buffer">Where to write it, as UTF-8.</param>
    /// <param name="value">What to write.</param>
    /// <param name="type">The property of this class that describes the value's type.</param>
    public static void Write<T>(IBufferWriter<byte> buffer, T value, Func<ReportJson, JsonTypeInfo<T>> type)
    {
        using var json = new Utf8JsonWriter(buffer, s_options);
        try
        {
            JsonSerializer.Serialize(json, value, type(s_renewed ?? Default));
        }
        catch (Exception)
        {
            // If the serializer once fails to describe a type, for example because memory ran out, it remembers that and fails for the type
            // from then on.
            s_renewed = new ReportJson(new JsonSerializerOptions(Default.Options));
            throw;
        }
    }

    /// <inheritdoc cref="Write"/>
    public static byte[] ToArray<T>(T value, Func<ReportJson, JsonTypeInfo<T>> type)
    {
        var buffer = new ArrayBufferWriter<byte>();
        Write(buffer, value, type);
        return buffer.WrittenSpan.ToArray();
    }
}
