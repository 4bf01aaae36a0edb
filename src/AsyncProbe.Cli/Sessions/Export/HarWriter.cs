using System.Text.Encodings.Web;
using System.Text.Json;
using System.Text.Json.Nodes;

namespace AsyncProbe.Cli.Sessions.Export;

/// <summary>Writes a capture (HAR 1.2) of requests without responses.</summary>
internal static class HarWriter
{
    private static readonly JsonSerializerOptions s_readable = new()
    {
        WriteIndented = true,
        Encoder = JavaScriptEncoder.UnsafeRelaxedJsonEscaping,
    };

    public static ExportedFile Write(ExportPlan plan)
    {
        List<string> losses =
        [
            .. plan.Losses,
            .. ExportComment.LossesOfLoad(plan),
            "Answers and times: there are none, so these are empty.",
        ];
        if (plan.Variables.Any(variable => variable.Value is not null))
        {
            losses.Add("Variables: their values are written.");
        }

        var values = plan.Variables.ToDictionary(
            variable => variable.Name, variable => variable.Value ?? variable.AsWritten, StringComparer.Ordinal);
        var entries = new JsonArray();
        foreach (var request in plan.ActiveRequests)
        {
            // The pause between requests is kept as the difference between their times; the date means nothing.
            var started = DateTimeOffset.UnixEpoch.AddMilliseconds((double)plan.DelayMs * entries.Count);
            entries.Add((JsonNode)Entry(request, text => text.Write(literal => literal, name => values[name]), started, losses));
        }

        var log = new JsonObject
        {
            ["version"] = "1.2",
            ["creator"] = new JsonObject { ["name"] = "asyncprobe", ["version"] = "1.0.0" },
            ["comment"] = string.Join('\n', ExportComment.Lines(plan, losses)),
            ["entries"] = entries,
        };
        return new(new JsonObject { ["log"] = log }.ToJsonString(s_readable) + "\n", losses);
    }

    private static JsonObject Entry(ExportRequest request, Func<ExportText, string> write, DateTimeOffset started, List<string> losses)
    {
        var path = write(request.PathAndQuery);
        var json = new JsonObject
        {
            ["method"] = request.Verb,
            ["url"] = request.Site + path,
            ["httpVersion"] = "HTTP/1.1",
            ["cookies"] = new JsonArray(),
            ["headers"] = Pairs(request.Headers.Select(header => (header.Name, write(header.Value)))),
            ["queryString"] = Pairs(Query(path)),
            ["headersSize"] = -1,
            ["bodySize"] = -1,
        };
        if (request.Name is not null)
        {
            json["comment"] = request.Name;
        }

        if (request.HasBody)
        {
            json["postData"] = PostData(request, write, losses);
        }

        return new()
        {
            ["startedDateTime"] = started.ToString("yyyy-MM-dd'T'HH:mm:ss.fff'Z'", System.Globalization.CultureInfo.InvariantCulture),
            ["time"] = 0,
            ["request"] = json,
            ["response"] = new JsonObject
            {
                ["status"] = 0, ["statusText"] = "", ["httpVersion"] = "HTTP/1.1", ["cookies"] = new JsonArray(),
                ["headers"] = new JsonArray(),
                ["content"] = new JsonObject { ["size"] = 0, ["mimeType"] = "" }, ["redirectURL"] = "", ["headersSize"] = -1,
                ["bodySize"] = -1,
            },
            ["cache"] = new JsonObject(),
            ["timings"] = new JsonObject { ["send"] = 0, ["wait"] = 0, ["receive"] = 0 },
        };
    }

    private static JsonObject PostData(ExportRequest request, Func<ExportText, string> write, List<string> losses)
    {
        var type = request.Header("Content-Type") is { } header ? write(header.Value) : "";
        if (request.Bytes is not { } bytes)
        {
            return new() { ["mimeType"] = type, ["text"] = write(request.Body!) };
        }

        losses.Add($"The bytes of the body of \"{request.Title}\": HAR has no place for them; they are base64, as \"encoding\" says.");
        return new() { ["mimeType"] = type, ["text"] = Convert.ToBase64String(bytes), ["encoding"] = "base64" };
    }

    private static IEnumerable<(string Name, string Value)> Query(string path) =>
        path.IndexOf('?', StringComparison.Ordinal) is >= 0 and var mark
            ? path[(mark + 1)..].Split('&', StringSplitOptions.RemoveEmptyEntries).Select(pair => pair.Split('=', 2))
                .Select(pair => (pair[0], pair.ElementAtOrDefault(1) ?? ""))
            : [];

    private static JsonArray Pairs(IEnumerable<(string Name, string Value)> pairs) =>
        [.. pairs.Select(pair => new JsonObject { ["name"] = pair.Name, ["value"] = pair.Value })];
}
