using System.Diagnostics;

namespace AsyncProbe.Blocking;

/// <summary>Who is to blame for a wait.</summary>
/// <param name="Kind">How it waited.</param>
/// <param name="At">The first frame of the application's own code; else the deepest library call.</param>
/// <param name="IlOffset">Where in it.</param>
/// <param name="Via">The deepest library call between the two.</param>
internal sealed record BlameFrame(WaitKind Kind, FrameInfo At, int IlOffset, FrameInfo? Via)
{
    /// <summary>Null when AsyncProbe waited for itself, or the framework for itself, or when nothing of the stack has a name.</summary>
    public static BlameFrame? Find(StackTrace stack, Frames frames)
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

            kind = Outer(kind, info.Kind);
            if (info.Owner == FrameOwner.Library && (library is null || (info.IsPublic && via is null)))
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
