using System.Diagnostics;
using System.Reflection;

namespace AsyncProbe.Blocking;

/// <summary>Who is to blame for a wait.</summary>
/// <param name="Kind">How it waited.</param>
/// <param name="At">The first frame of the application's own code; else the deepest library call.</param>
/// <param name="IlOffset">Where in it.</param>
/// <param name="Via">The deepest library call between the two.</param>
internal sealed record BlameFrame(WaitKind Kind, FrameInfo At, int IlOffset, FrameInfo? Via)
{
    /// <summary>What the application's method called, where the stack itself does not show the place; else null.</summary>
    public FrameInfo? Call { get; private init; }

    /// <summary>The place to report.</summary>
    public SiteFrame Place => new(At, IlOffset, Call);

    /// <summary>Null when AsyncProbe waited for itself, or the framework for itself, or when nothing of the stack has a name.</summary>
    /// <param name="stack">The stack of the waiting thread.</param>
    /// <param name="frames">Describes it.</param>
    /// <param name="handler">The method of the request's endpoint, when it is known.</param>
    public static BlameFrame? Find(StackTrace stack, Frames frames, MethodBase? handler)
    {
        var kind = WaitKind.Other;
        FrameInfo? via = null;
        FrameInfo? last = null;
        BlameFrame? library = null;
        for (var i = 0; i < stack.FrameCount; i++)
        {
            if (stack.GetFrame(i) is not { } frame || frames.Of(frame) is not { } info)
            {
                continue;
            }

            switch (info.Owner)
            {
                case FrameOwner.Hook:
                    continue;
                case FrameOwner.Own:
                    return new BlameFrame(Named(kind, last), info, frame.GetILOffset(), via ?? NearestPublic(last));
                case FrameOwner.Probe:
                    return null;
                case FrameOwner.ProbeEntry:
                    return Outside(kind, library);
            }

            if (info.IsHandlerCall && handler is not null && frames.Of(handler) is { Owner: FrameOwner.Own } inlined)
            {
                return new BlameFrame(Named(kind, last), inlined, SiteFrame.Unknown, via ?? NearestPublic(last)) { Call = last };
            }

            kind = Outer(kind, info.Kind);
            if (info is { Owner: FrameOwner.Library, Method.DeclaringType: not null } && (library is null || (info.IsPublic && via is null)))
            {
                library = new BlameFrame(kind, info, frame.GetILOffset(), info);
                via = info.IsPublic ? info : null;
            }

            last = info;
            if (info.IsMiddleware)
            {
                // Own code in front of it in the pipeline only called the next one.
                return Outside(kind, library);
            }
        }

        return Outside(kind, library);
    }

    private static WaitKind Outer(WaitKind inner, WaitKind outer)
    {
        if (outer == WaitKind.Other)
        {
            return inner;
        }

        return KindRules.IsWide(inner) || KindRules.IsWide(outer) ? (WaitKind)Math.Max((int)inner, (int)outer) : outer;
    }

    // Own code straight above a native wait: the runtime makes a thread wait for another's static constructor.
    private static WaitKind Named(WaitKind kind, FrameInfo? last) =>
        kind != WaitKind.Other ? kind : last is null ? WaitKind.Lock : WaitKind.WaitHandle;

    private static FrameInfo? NearestPublic(FrameInfo? last) => last is { IsPublic: true } ? last : null;

    // No own code on the stack. A lock is then the framework's own: it loads a type, or fills a cache for the first time.
    private static BlameFrame? Outside(WaitKind kind, BlameFrame? library) =>
        kind == WaitKind.Lock || library is null ? null : library with { Kind = Named(kind, library.At) };
}
