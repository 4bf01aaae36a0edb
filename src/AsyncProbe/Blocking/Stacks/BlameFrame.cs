using System.Diagnostics;
using System.Reflection;

namespace AsyncProbe.Blocking.Stacks;

/// <summary>Who is to blame for a wait.</summary>
/// <param name="Kind">How it waited.</param>
/// <param name="At">The first frame of the application's own code; else the deepest library call.</param>
/// <param name="IlOffset">Where in it.</param>
/// <param name="Via">The deepest library call between the two.</param>
internal sealed record BlameFrame(WaitKind Kind, FrameInfo At, int IlOffset, FrameInfo? Via)
{
    /// <summary>
    /// The nearest frame beneath, which shows the readers whether a method between the two has vanished; null when none is known.
    /// </summary>
    public FrameInfo? Call { get; init; }

    /// <summary>What has vanished, where <see cref="At"/> is only the best guess until the application's code is searched for it.</summary>
    public UserPart? Part { get; init; }

    /// <summary>
    /// Whether the thread handled an exception, and may have done so in a handler of <see cref="At"/>: then <see cref="IlOffset"/> is the
    /// statement that threw. Null when nobody knows.
    /// </summary>
    public bool? IsInCatch { get; init; }

    /// <summary>The frame to report.</summary>
    public SiteFrame ToSiteFrame(Frames frames) => new(At, IlOffset, Call, frames, Part, IsInCatch);

    /// <summary>Null when AsyncProbe waited for itself, or the framework for itself, or when nothing of the stack has a name.</summary>
    /// <param name="stack">The stack of the waiting thread, which is the calling one.</param>
    /// <param name="frames">Describes it.</param>
    /// <param name="handler">The method of the request's endpoint, when it is known.</param>
    /// <param name="isInCatch">Whether the thread handles an exception; null when nobody knows.</param>
    public static BlameFrame? Find(StackTrace stack, Frames frames, MethodBase? handler, bool? isInCatch = null)
    {
        var search = new BlameSearch(frames.UserCodeOrNull(handler), isSampled: false, () => frames.UserCodeOrNull(RunningTask.Method));
        for (var i = 0; i < stack.FrameCount && !search.HasEnded; i++)
        {
            if (stack.GetFrame(i) is { } frame && frames.Get(frame) is { } info)
            {
                search.Add(info, frame.GetILOffset());
            }
        }

        // What another method on the stack handles is no matter here.
        return search.Result is { } found
            ? found with { IsInCatch = isInCatch == true ? IsGuarded(found) : isInCatch }
            : null;
    }

    /// <summary>The same for a stack that somebody else took of the thread.</summary>
    public static BlameFrame? Find(IReadOnlyList<SampledFrame> stack, Frames frames, MethodBase? handler)
    {
        var search = new BlameSearch(frames.UserCodeOrNull(handler), isSampled: true);
        for (var i = 0; i < stack.Count && !search.HasEnded; i++)
        {
            search.Add(frames.Get(stack[i].Method), stack[i].IlOffset);
        }

        return search.Result;
    }

    /// <summary>
    /// The same for a whole sample. One whose innermost method nobody knows does not show that the thread was in native code: it is no
    /// evidence, unless the statement makes a single call that waits.
    /// </summary>
    public static BlameFrame? Find(StackSample sample, Frames frames, MethodBase? handler) =>
        Find(sample.Frames, frames, handler) is { } found
            && !(sample.IsInnermostUnknown && found.Kind == WaitKind.Native && found.ToSiteFrame(frames).Refine(found.Kind) == found.Kind)
            ? found
            : null;

    private static bool IsGuarded(BlameFrame found) => found.At.Method is { } method && Handlers.IsGuarded(method, found.IlOffset);
}
