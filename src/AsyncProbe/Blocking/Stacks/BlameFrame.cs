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

    /// <summary>The application's override of a library's method that <see cref="At"/> calls and that waits for all its callers.</summary>
    public FrameInfo? Through { get; init; }

    /// <summary>
    /// The package whose code waits: the innermost one between the place and the wait. It owns the lock, the queue or the connection.
    /// </summary>
    public string? Library { get; init; }

    /// <summary>The frame to report.</summary>
    public SiteFrame ToSiteFrame(Frames frames) => new(At, IlOffset, Call, frames, Part, IsInCatch)
    {
        Library = Library,
        Through = Through,
    };

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
    /// The same for a whole sample. A thread outside a call of native code doesn't wait there: it allocates, or the runtime has
    /// stopped it. A sample with an unknown innermost method proves nothing, unless the statement makes a single call that waits.
    /// </summary>
    public static BlameFrame? Find(StackSample sample, Frames frames, MethodBase? handler) =>
        Find(sample.Frames, frames, handler) is { } found
            && (found.Kind != WaitKind.Native || IsInNativeCode(sample) || found.ToSiteFrame(frames).Refine(found.Kind) != found.Kind)
            ? found
            : null;

    private static bool IsInNativeCode(StackSample sample) => sample switch
    {
        { Innermost: InnermostFrame.Unknown } or { Frames.Count: 0 } => false,
        { Innermost: InnermostFrame.NativeCall } => !NativeCalls.AreTheRuntimes(sample.Frames[0].Method),
        _ => NativeCalls.In(sample.Frames[0].Method).Count > 0,
    };

    private static bool IsGuarded(BlameFrame found) => found.At.Method is { } method && Handlers.IsGuarded(method, found.IlOffset);
}
