using System.Text.Json;
using System.Text.Json.Nodes;
using AsyncProbe.Apps.Tests.Running;

namespace AsyncProbe.Apps.Tests.Zoo;

/// <summary>
/// Records a report with the true verdicts, so that CI can apply the rules to it in no time. Writes a file for each setting to the folder that
/// <c>ZOO_RECORD</c> names.
/// </summary>
internal static class ZooRecording
{
    // What the rules don't read.
    private static readonly string[] s_unread = ["history", "stack", "source"];

    public static void Write(AppSetting setting, JsonElement report, IEnumerable<EndpointTruth> truths)
    {
        if (Environment.GetEnvironmentVariable("ZOO_RECORD") is not { Length: > 0 } folder)
        {
            return;
        }

        var recorded = JsonNode.Parse(report.ToString())!;
        Strip(recorded);
        var json = new JsonObject
        {
            ["setting"] = setting.ToString(),
            ["truths"] = new JsonObject(truths.Where(t => t.Verdict is not null).Select(t => KeyValuePair.Create(t.Endpoint, (JsonNode?)t.Verdict))),
            ["report"] = recorded,
        };
        var name = string.Join('-', setting.ToString().Split([' ', ','], StringSplitOptions.RemoveEmptyEntries));
        Directory.CreateDirectory(folder);
        File.WriteAllText(Path.Combine(folder, name + ".json"), json.ToJsonString());
    }

    private static void Strip(JsonNode node)
    {
        if (node is JsonObject row)
        {
            Array.ForEach(s_unread, name => row.Remove(name));
            foreach (var (_, child) in row.Where(child => child.Value is not null))
            {
                Strip(child!);
            }
        }
        else if (node is JsonArray rows)
        {
            foreach (var child in rows.OfType<JsonNode>())
            {
                Strip(child);
            }
        }
    }
}
