using System.Text.Encodings.Web;
using System.Text.Json;
using System.Text.Json.Nodes;

namespace AsyncProbe.Cli.Sessions;

/// <summary>Writes the options with both versions' names for threads and seconds, but never a password.</summary>
internal static class OptionsWriter
{
    private static readonly JsonSerializerOptions Readable = new()
    {
        WriteIndented = true,
        NewLine = "\r\n",
        Encoder = JavaScriptEncoder.UnsafeRelaxedJsonEscaping,
    };

    public static string Write(SessionOptions options)
    {
        var json = options.Json.DeepClone().AsObject();
        if (json.ContainsKey("Password"))
        {
            json["Password"] = null;
        }

        Twin(json, "LastThreads", "ThreadCount");
        Twin(json, "LastSecondsToRun", "SecondsToRun");
        return json.ToJsonString(Readable);
    }

    private static void Twin(JsonObject json, string first, string second)
    {
        if (json[first] is { } a && !json.ContainsKey(second))
        {
            json[second] = a.DeepClone();
        }
        else if (json[second] is { } b && !json.ContainsKey(first))
        {
            json[first] = b.DeepClone();
        }
    }
}
