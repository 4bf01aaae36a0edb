using System.Diagnostics;

namespace AsyncProbe.Blocking;

/// <summary>Who is to blame for a wait.</summary>
/// <param name="Kind">How it waited.</param>
/// <param name="At">The first frame of the application's own code; else the deepest library call.</param>
/// <param name="IlOffset">Where in it.</param>
/// <param name="Via">The deepest library call between the two.</param>
internal sealed record BlameFrame(WaitKind Kind, FrameInfo At, int IlOffset, FrameInfo? Via)
{
    /// <summary>Null when AsyncProbe waited for itself, or when nothing of the stack has a name.</summary>
    public static BlameFrame? Find(StackTrace stack, Frames frames)
    {
        var search = new BlameSearch(isSampled: false);
        for (var i = 0; i < stack.FrameCount && !search.HasEnded; i++)
        {
            if (stack.GetFrame(i) is { } frame && frames.Of(frame) is { } info)
            {
                search.Add(info, frame.GetILOffset());
            }
        }

        return search.Result;
    }

    /// <summary>The same for a stack that somebody else took of the thread.</summary>
    public static BlameFrame? Find(IReadOnlyList<StackPlace> stack, Frames frames)
    {
        var search = new BlameSearch(isSampled: true);
        for (var i = 0; i < stack.Count && !search.HasEnded; i++)
        {
            search.Add(frames.Of(stack[i].Method), stack[i].IlOffset);
        }

        return search.Result;
    }
}
