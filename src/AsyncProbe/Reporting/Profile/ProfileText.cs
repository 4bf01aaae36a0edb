using System.Buffers;
using System.Globalization;
using System.Text;
using System.Text.Encodings.Web;
using System.Text.Json;
using AsyncProbe.Common;

namespace AsyncProbe.Reporting.Profile;

/// <summary>Writes stacks in formats that profile viewers read.</summary>
internal static class ProfileText
{
    private static readonly JsonWriterOptions s_options = new() { Encoder = JavaScriptEncoder.UnsafeRelaxedJsonEscaping };

    /// <summary>The collapsed format of the FlameGraph tools: a line per stack with its frames, outermost first, and its time in
    /// microseconds.</summary>
    public static byte[] Collapsed(IReadOnlyList<BlockedStack> stacks)
    {
        var text = new StringBuilder();
        foreach (var stack in stacks)
        {
            text.AppendJoin(';', stack.Frames.Select(frame => Plain(frame)))
                .Append(CultureInfo.InvariantCulture, $" {stack.Blocked.WholeMicroseconds}\n");
        }

        return Encoding.UTF8.GetBytes(text.ToString());
    }

    /// <summary>A speedscope profile (https://www.speedscope.app/file-format-schema.json), in milliseconds.</summary>
    public static byte[] Speedscope(IReadOnlyList<BlockedStack> stacks)
    {
        Dictionary<ProfileFrame, int> frames = [];
        var samples = stacks.Select(stack => stack.Frames.Select(frame => Number(frames, frame)).ToList()).ToList();
        var buffer = new ArrayBufferWriter<byte>();
        using (var json = new Utf8JsonWriter(buffer, s_options))
        {
            json.WriteStartObject();
            json.WriteString("$schema", "https://www.speedscope.app/file-format-schema.json");
            json.WriteString("exporter", nameof(AsyncProbe));
            json.WriteStartObject("shared");
            json.WriteStartArray("frames");
            foreach (var frame in frames.OrderBy(f => f.Value).Select(f => f.Key))
            {
                Write(json, frame);
            }

            json.WriteEndArray();
            json.WriteEndObject();
            json.WriteStartArray("profiles");
            WriteProfile(json, stacks, samples);
            json.WriteEndArray();
            json.WriteEndObject();
        }

        return buffer.WrittenSpan.ToArray();
    }

    /// <summary>
    /// The tree that the live page draws, in milliseconds: a list of frames, each with its parent's index, parents before their children.
    /// </summary>
    public static byte[] Tree(BlockedTree tree)
    {
        var buffer = new ArrayBufferWriter<byte>();
        using (var json = new Utf8JsonWriter(buffer, s_options))
        {
            json.WriteStartObject();
            json.WriteNumber("blockedMs", tree.Blocked.ToMilliseconds());
            json.WriteNumber("cutMs", tree.Cut.ToMilliseconds());
            json.WriteStartArray("nodes");
            foreach (var node in tree.Nodes)
            {
                json.WriteStartObject();
                WriteFields(json, node.Frame);
                json.WriteBoolean("own", node.Frame.IsOwn);
                json.WriteNumber("blockedMs", node.Blocked.ToMilliseconds());
                if (node.Parent is { } parent)
                {
                    json.WriteNumber("parent", parent);
                }

                json.WriteEndObject();
            }

            json.WriteEndArray();
            json.WriteEndObject();
        }

        return buffer.WrittenSpan.ToArray();
    }

    private static void WriteProfile(Utf8JsonWriter json, IReadOnlyList<BlockedStack> stacks, List<List<int>> samples)
    {
        json.WriteStartObject();
        json.WriteString("type", "sampled");
        json.WriteString("name", "blocked time");
        json.WriteString("unit", "milliseconds");
        json.WriteNumber("startValue", 0);
        json.WriteNumber("endValue", stacks.Aggregate(Duration.Zero, (sum, stack) => sum + stack.Blocked).ToMilliseconds());
        json.WriteStartArray("samples");
        foreach (var sample in samples)
        {
            json.WriteStartArray();
            sample.ForEach(json.WriteNumberValue);
            json.WriteEndArray();
        }

        json.WriteEndArray();
        json.WriteStartArray("weights");
        foreach (var stack in stacks)
        {
            json.WriteNumberValue(stack.Blocked.ToMilliseconds());
        }

        json.WriteEndArray();
        json.WriteEndObject();
    }

    private static void Write(Utf8JsonWriter json, ProfileFrame frame)
    {
        json.WriteStartObject();
        WriteFields(json, frame);
        json.WriteEndObject();
    }

    private static void WriteFields(Utf8JsonWriter json, ProfileFrame frame)
    {
        json.WriteString("name", frame.Name);
        if (frame.File is not null)
        {
            json.WriteString("file", frame.File);
        }

        if (frame.Line is { } line)
        {
            json.WriteNumber("line", line);
        }
    }

    private static int Number(Dictionary<ProfileFrame, int> frames, ProfileFrame frame)
    {
        if (!frames.TryGetValue(frame, out var number))
        {
            frames[frame] = number = frames.Count;
        }

        return number;
    }

    // Replaces the separators of the collapsed format.
    private static string Plain(ProfileFrame frame) =>
        (frame.Line is { } line ? string.Create(CultureInfo.InvariantCulture, $"{frame.Name}:{line}") : frame.Name).Replace(';', ',')
            .ReplaceLineEndings(" ");
}
