using System.Text.Json;

namespace AsyncProbe.Cli.Sessions.Import;

/// <summary>Tells what a file holds by its name, and of JSON by what is in it.</summary>
internal static class ImportFormats
{
    /// <summary>For sentences.</summary>
    public const string Names = ".http file or Postman collection (.json)";

    public static ImportFormat Find(string file, ReadOnlySpan<byte> content) => Path.GetExtension(file).ToLowerInvariant() switch
    {
        ".http" or ".rest" => ImportFormat.Http,
        ".json" => FindInJson(content),
        _ => ImportFormat.None,
    };

    /// <summary>By the names at the top of the document.</summary>
    private static ImportFormat FindInJson(ReadOnlySpan<byte> json)
    {
        var reader = new Utf8JsonReader(json, new JsonReaderOptions { CommentHandling = JsonCommentHandling.Skip, AllowTrailingCommas = true });
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

                reader.Skip();
            }
        }
        catch (JsonException)
        {
            // A collection with a mistake: its own reader says on which line.
            return info ? ImportFormat.Postman : ImportFormat.None;
        }

        return info ? ImportFormat.Postman : ImportFormat.None;
    }
}
