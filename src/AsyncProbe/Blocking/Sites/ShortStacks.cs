using AsyncProbe.Blocking.Stacks;

namespace AsyncProbe.Blocking.Sites;

/// <summary>
/// Stacks as the report carries them: the application's own frames with a neighbour on either side. The dozens between are the framework's
/// and the same in every request; with them the call sites of a large app would be megabytes.
/// </summary>
internal static class ShortStacks
{
    private const int MostLines = 10;

    public static IReadOnlyList<string> Create(IReadOnlyList<SiteFrame> stack)
    {
        List<string> lines = [];
        var left = 0;
        for (var i = 0; i < stack.Count; i++)
        {
            // The last line may have to say how many are left.
            if (!IsShown(stack, i) || lines.Count >= MostLines - 2)
            {
                left++;
                continue;
            }

            AddLeft(lines, ref left);
            lines.Add(stack[i].Text);
        }

        AddLeft(lines, ref left);
        return lines;
    }

    /// <summary>The same frames without a word on those between; innermost first, as they come.</summary>
    public static IEnumerable<SiteFrame> Shorten(IReadOnlyList<SiteFrame> stack) =>
        stack.Any(f => f.OnStack.Owner == FrameOwner.UserCode) ? stack.Where((_, i) => IsShown(stack, i)) : stack.Take(MostLines);

    // Without own frames the innermost ones are all there is to tell.
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
