using System.Text;
using System.Text.Json;
using AsyncProbe.Cli.Sessions.Import.Curl;

namespace AsyncProbe.Cli.Sessions.Import;

/// <summary>Determines a file's format by its extension, and that of JSON by its content.</summary>
internal static class ImportFormats
{
    /// <summary>The formats, for use in a sentence.</summary>
    public const string Names = ".http file, Postman collection (.json), browser capture (.har), OpenAPI document (.json), or commands of "
        + "curl (.curl, or as text)";

    public static ImportFormat Find(string file, ReadOnlySpan<byte> content) => Path.GetExtension(file).ToLowerInvariant() switch
    {
        ".http" or ".rest" => ImportFormat.Http,
        ".har" => ImportFormat.Har,
        ".curl" => ImportFormat.Curl,
        ".sh" or ".txt" when CurlReader.IsOne(Beginning(content)) => ImportFormat.Curl,
        ".json" => FindInJson(content),
        _ => ImportFormat.None,
    };

    private static string Beginning(ReadOnlySpan<byte> content) => Encoding.UTF8.GetString(content[..Math.Min(content.Length, 200)]);

    /// <summary>Decides by the property names at the top of the document.</summary>
    public static ImportFormat FindInJson(ReadOnlySpan<byte> json)
    {
        var reader = new Utf8JsonReader(json, LenientJson.Reader);
        var info = false;
        try
        {
            while (reader.Read())
            {
                if (reader.CurrentDepth == 0 && reader.TokenType is not (JsonTokenType.StartObject or JsonTokenType.EndObject))
                {
                    return ImportFormat.None;
                }

                if (reader.TokenType != JsonTokenType.PropertyName)
                {
                    continue;
                }

                info |= reader.ValueTextEquals("info"u8);
                if (reader.ValueTextEquals("item"u8) || reader.ValueTextEquals("collection"u8))
                {
                    return ImportFormat.Postman;
                }

                if (reader.ValueTextEquals("log"u8))
                {
                    return ImportFormat.Har;
                }

                if (reader.ValueTextEquals("openapi"u8) || reader.ValueTextEquals("swagger"u8))
                {
                    return ImportFormat.OpenApi;
                }

                reader.Skip();
            }
        }
        catch (JsonException)
        {
            // For a collection with a syntax error, its own reader reports the line.
            return info ? ImportFormat.Postman : ImportFormat.None;
        }

        return info ? ImportFormat.Postman : ImportFormat.None;
    }
}
