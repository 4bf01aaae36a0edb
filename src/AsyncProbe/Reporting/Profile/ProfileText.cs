using System.Globalization;
using System.Text;
using AsyncProbe.Common;
using AsyncProbe.Reporting.Json;

namespace AsyncProbe.Reporting.Profile;

/// <summary>Writes stacks in formats that profile viewers read.</summary>
internal static class ProfileText
{
    /// <summary>
    /// The collapsed format of the FlameGraph tools: a line per stack with its frames, outermost first, and its time in microseconds.
    /// </summary>
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

    /// <summary>A speedscope profile, in milliseconds.</summary>
    public static byte[] Speedscope(IReadOnlyList<BlockedStack> stacks)
    {
        var frames = stacks.SelectMany(stack => stack.Frames).Distinct().ToList();
        var numbers = frames.Select((frame, number) => (frame, number)).ToDictionary(pair => pair.frame, pair => pair.number);
        var profile = new SampledProfileReport(
            "sampled", "blocked time", "milliseconds", StartValue: 0,
            EndValue: stacks.Aggregate(Duration.Zero, (sum, stack) => sum + stack.Blocked).ToMilliseconds(),
            [.. stacks.Select(stack => stack.Frames.Select(frame => numbers[frame]).ToList())],
            [.. stacks.Select(stack => stack.Blocked.ToMilliseconds())]);
        return ReportJson.ToArray(
            new SpeedscopeReport(
                "https://www.speedscope.app/file-format-schema.json", nameof(AsyncProbe),
                new([.. frames.Select(frame => new FrameReport(frame.Name, frame.File, frame.Line))]), [profile]),
            static json => json.SpeedscopeReport);
    }

    /// <summary>The tree that the live page draws, in milliseconds.</summary>
    public static byte[] Tree(BlockedTree tree) =>
        ReportJson.ToArray(
            new TreeReport(
                tree.Blocked.ToMilliseconds(), tree.Cut.ToMilliseconds(),
                [.. tree.Nodes.Select(node => new NodeReport(
                    node.Frame.Name, node.Frame.File, node.Frame.Line, node.Frame.IsOwn, node.Blocked.ToMilliseconds(), node.Parent))]),
            static json => json.TreeReport);

    // Replaces the separators of the collapsed format.
    private static string Plain(ProfileFrame frame) =>
        (frame.Line is { } line ? string.Create(CultureInfo.InvariantCulture, $"{frame.Name}:{line}") : frame.Name).Replace(';', ',')
            .ReplaceLineEndings(" ");
}
