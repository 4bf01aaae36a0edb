using System.Text.Encodings.Web;
using System.Text.Json;
using System.Text.Json.Nodes;
using Microsoft.OpenApi;

namespace AsyncProbe.Cli.Sessions.Import.OpenApi;

/// <summary>Writes the body of one operation from its example, or from the examples of its parts.</summary>
internal sealed class OpenApiBody(string place, ImportedHeaders headers, Action<Severity, string, string> say)
{
    public static JsonSerializerOptions Readable { get; } = new() { Encoder = JavaScriptEncoder.UnsafeRelaxedJsonEscaping };

    public string Read(IOpenApiRequestBody? body)
    {
        if (body?.Content is not { Count: > 0 } content)
        {
            return "";
        }

        var (type, media) = content.OrderByDescending(choice => choice.Key.Contains("json", StringComparison.OrdinalIgnoreCase)).First();
        if (media is null || OpenApiValues.Find(media) is not { } value)
        {
            say(Severity.Warning, place + ".requestBody", $"The body ({SafeText.From(type)}) has no example, so none is sent.");
            return "";
        }

        if (type.StartsWith("multipart/", StringComparison.OrdinalIgnoreCase) && value is JsonObject parts)
        {
            var (text, own) = ImportedBody.Multipart([.. parts.Select(part => new FormPart(part.Key, OpenApiTexts.Text(part.Value)))]);
            headers.Set("Content-Type", own);
            return text;
        }

        if (type.Contains("urlencoded", StringComparison.OrdinalIgnoreCase) && value is JsonObject pairs)
        {
            headers.Set("Content-Type", type);
            return ImportedBody.Form(pairs.Select(pair => (pair.Key, OpenApiTexts.Text(pair.Value))));
        }

        // A range of types can't be sent as a type.
        var isStructure = value is JsonObject or JsonArray;
        type = !type.Contains('*', StringComparison.Ordinal) ? type : isStructure ? "application/json" : "text/plain";
        var isJson = type.Contains("json", StringComparison.OrdinalIgnoreCase);
        if (isStructure && !isJson)
        {
            say(
                Severity.Warning, place + ".requestBody",
                $"The body ({SafeText.From(type)}) only has an example in JSON, so no body is sent.");
            return "";
        }

        headers.Set("Content-Type", type);
        return ImportedBody.Text(isJson ? value.ToJsonString(Readable) : OpenApiTexts.Text(value));
    }
}
