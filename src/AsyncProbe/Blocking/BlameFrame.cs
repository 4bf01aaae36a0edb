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
        var kind = WaitKind.Other;
        FrameInfo? via = null;
        var viaOffset = 0;
        FrameInfo? last = null;
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
                    return Outside(kind, via, viaOffset, last);
            }

            kind = Outer(kind, info.Kind);
            if (info is { IsPublic: true, Owner: FrameOwner.Library } && via is null)
            {
                (via, viaOffset) = (info, frame.GetILOffset());
            }

            last = info;
        }

        return Outside(kind, via, viaOffset, last);
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

    private static BlameFrame? Outside(WaitKind kind, FrameInfo? via, int viaOffset, FrameInfo? last) =>
        (via ?? last) is { } at ? new BlameFrame(Named(kind, last), at, via is null ? 0 : viaOffset, via) : null;
}
