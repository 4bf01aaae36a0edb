using System.Text.Encodings.Web;
using System.Text.Json;
using System.Text.Json.Nodes;
using Microsoft.OpenApi;

namespace AsyncProbe.Cli.Sessions.Import.OpenApi;

/// <summary>Writes the body of one operation, of its example or of those of its parts.</summary>
internal sealed class OpenApiBody(string place, ImportedHeaders headers, Action<Severity, string, string> say)
{
    private static readonly JsonSerializerOptions s_readable = new() { Encoder = JavaScriptEncoder.UnsafeRelaxedJsonEscaping };

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

        headers.Set("Content-Type", type);
        return ImportedBody.Text(type.Contains("urlencoded", StringComparison.OrdinalIgnoreCase) && value is JsonObject pairs
            ? ImportedBody.Form(pairs.Select(pair => (pair.Key, OpenApiTexts.Text(pair.Value))))
            : type.Contains("json", StringComparison.OrdinalIgnoreCase) ? value.ToJsonString(s_readable) : OpenApiTexts.Text(value));
    }
}
