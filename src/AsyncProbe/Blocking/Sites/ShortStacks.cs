using AsyncProbe.Blocking.Methods;
using AsyncProbe.Blocking.Stacks;

namespace AsyncProbe.Blocking.Sites;

/// <summary>
/// Shortens stacks for the report: the application's frames with one neighbour on either side. The dozens of frames in between are the
/// framework's and the same in every request. With them, the call sites of a large app would take megabytes.
/// </summary>
internal static class ShortStacks
{
    private const int MostLines = 10;

    /// <param name="stack">The stack, innermost frame first.</param>
    /// <param name="at">The place of the wait, whose line was searched for; null when there is none.</param>
    public static IReadOnlyList<string> Create(IReadOnlyList<SiteFrame> stack, SiteFrame? at)
    {
        List<string> lines = [];
        var left = 0;
        for (var i = 0; i < stack.Count; i++)
        {
            // Reserve a line for the number of frames left out.
            if (!IsShown(stack, i) || lines.Count >= MostLines - 2)
            {
                left++;
                continue;
            }

            AddLeft(lines, ref left);
            lines.Add(TextOf(stack, i, at));
        }

        AddLeft(lines, ref left);
        return lines;
    }

    /// <summary>The same frames without the lines that count omitted ones, innermost first.</summary>
    public static IEnumerable<SiteFrame> Shorten(IReadOnlyList<SiteFrame> stack) =>
        stack.Any(f => f.OnStack.Owner == FrameOwner.UserCode) ? stack.Where((_, i) => IsShown(stack, i)) : stack.Take(MostLines);

    // Optimised code often reports another line of the method than that of the call.
    private static string TextOf(IReadOnlyList<SiteFrame> stack, int i, SiteFrame? at) =>
        at is not null && stack[i].OnStack == at.OnStack && at.Frame == at.OnStack ? at.Text
        : i > 0 && IsUserCode(stack, i) && !stack[i].MayCall(stack[i - 1].OnStack) ? stack[i].Name
        : stack[i].Text;

    // Without application frames, show the innermost ones.
    private static bool IsShown(IReadOnlyList<SiteFrame> stack, int i) =>
        IsUserCode(stack, i - 1) || IsUserCode(stack, i) || IsUserCode(stack, i + 1)
            || !stack.Any(f => f.OnStack.Owner == FrameOwner.UserCode);

    private static bool IsUserCode(IReadOnlyList<SiteFrame> stack, int i) =>
        i >= 0 && i < stack.Count && stack[i].OnStack.Owner == FrameOwner.UserCode;

    private static void AddLeft(List<string> lines, ref int left)
    {
        if (left > 0)
        {
            lines.Add(left == 1 ? "… 1 frame" : $"… {left} frames");
            left = 0;
        }
    }
}
