using System.Diagnostics;
using System.Reflection;
using AsyncProbe.Blocking.Code;
using AsyncProbe.Blocking.Kinds;
using AsyncProbe.Blocking.Methods;
using AsyncProbe.Blocking.Places;

namespace AsyncProbe.Blocking.Stacks;

/// <summary>The code to blame for a wait.</summary>
/// <param name="Kind">How it waited.</param>
/// <param name="At">The first frame of application code; if there is none, the deepest library call.</param>
/// <param name="IlOffset">The place in that frame.</param>
/// <param name="Via">The deepest library call between that frame and the wait.</param>
internal sealed record BlameFrame(WaitKind Kind, FrameInfo At, int IlOffset, FrameInfo? Via)
{
    // Optimised code inlines the waits of WaitHandle whole, and of no other type that we tried. This one stands for all of them.
    private static readonly MethodBase s_inlined = typeof(WaitHandle).GetMethod(nameof(WaitHandle.WaitOne), [typeof(int)])!;

    /// <summary>
    /// The nearest frame beneath. Readers use it to find out whether a method in between was inlined. Null when none is known.
    /// </summary>
    public FrameInfo? Call { get; init; }

    /// <summary>
    /// The wait that may be that of application code which a library called; null when it isn't beneath a library.
    /// </summary>
    public InlinedCallback? Callback { get; init; }

    /// <summary>
    /// The frame beneath a package's method that seems to take a lock. Readers use it to find out whether the method takes it itself.
    /// </summary>
    public FrameInfo? LockFrame { get; init; }

    /// <summary>
    /// The kind of application code that was inlined. Set when <see cref="At"/> is only the best guess until the application's code has
    /// been searched for it.
    /// </summary>
    public UserPart? Part { get; init; }

    /// <summary>
    /// Whether the thread handled an exception and may have been in a handler of <see cref="At"/>. If so, <see cref="IlOffset"/> is the
    /// statement that threw. Null when unknown.
    /// </summary>
    public bool? IsInCatch { get; init; }

    /// <summary>The application's override of a library method, which <see cref="At"/> calls and which waits for every caller.</summary>
    public FrameInfo? Through { get; init; }

    /// <summary>
    /// The package whose code waits: the innermost one between the place and the wait. It owns the lock, queue or connection.
    /// </summary>
    public string? Library { get; init; }

    public SiteFrame ToSiteFrame(Frames frames) => new(At, IlOffset, Call, frames, Part, IsInCatch)
    {
        Library = Library,
        LockFrame = LockFrame,
        Through = Through,
        Callback = Callback,
    };

    /// <summary>Null when AsyncProbe or the framework waited for its own purposes, or when no frame of the stack has a name.</summary>
    /// <param name="stack">The stack of the calling thread.</param>
    /// <param name="frames">Describes the stack's frames.</param>
    /// <param name="handler">The method of the request's endpoint, if known.</param>
    /// <param name="isInCatch">Whether the thread is handling an exception; null when unknown.</param>
    public static BlameFrame? Find(StackTrace stack, Frames frames, MethodBase? handler, bool? isInCatch = null)
    {
        var search = new BlameSearch(
            frames.UserCodeOrNull(handler), isSampled: false, () => frames.UserCodeOrNull(RunningTask.Method),
            frames.Get(s_inlined));
        for (var i = 0; i < stack.FrameCount && !search.HasEnded; i++)
        {
            if (stack.GetFrame(i) is { } frame && frames.Get(frame) is { } info)
            {
                search.Add(info, frame.GetILOffset());
            }
        }

        // An exception that another method on the stack handles doesn't matter here.
        return search.Result is { } found
            ? found with { IsInCatch = isInCatch == true ? IsGuarded(found) : isInCatch }
            : null;
    }

    /// <summary>The same for a stack that another thread took.</summary>
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
    /// The same for a whole sample. A thread that isn't in a native call doesn't wait there: it is allocating, or the runtime has stopped
    /// it. A sample whose innermost method is unknown proves nothing, unless the statement contains exactly one call that waits.
    /// </summary>
    public static BlameFrame? Find(StackSample sample, Frames frames, MethodBase? handler) =>
        Find(sample.Frames, frames, handler) is { } found
            && (found.Kind != WaitKind.Native || IsInNativeCode(sample)
                || (MayHideAWait(sample, frames) && found.ToSiteFrame(frames).Refine(found.Kind).MayVanish()))
            ? found
            : null;

    private static bool IsInNativeCode(StackSample sample) => sample switch
    {
        { Innermost: InnermostFrame.Unknown } => false,
        { Innermost: InnermostFrame.NativeCall } => !NativeCalls.AreTheRuntimes(sample.Frames[0].Method),
        _ => NativeCalls.In(sample.Frames[0].Method).Count > 0,
    };

    // Application code may have the waiting call inlined. A library's method that calls nothing native only allocates.
    private static bool MayHideAWait(StackSample sample, Frames frames) =>
        sample.Innermost == InnermostFrame.Unknown || frames.Get(sample.Frames[0].Method).Owner == FrameOwner.UserCode;

    private static bool IsGuarded(BlameFrame found) => found.At.Method is { } method && Handlers.IsGuarded(method, found.IlOffset);
}
