using System.Diagnostics;
using AsyncProbe.Blocking.Methods;

namespace AsyncProbe.Blocking.Sites;

/// <summary>Distinguishes stacks by their application frames and the place in each.</summary>
internal static class SiteWay
{
    public static int From(StackTrace stack, Frames frames)
    {
        var way = default(HashCode);
        for (var i = 0; i < stack.FrameCount; i++)
        {
            if (stack.GetFrame(i) is { } frame && frames.Get(frame) is { Owner: FrameOwner.UserCode } own)
            {
                way.Add(own);
                way.Add(frame.GetILOffset());
            }
        }

        return way.ToHashCode();
    }

    public static int From(IReadOnlyList<SampledFrame> stack, Frames frames)
    {
        var way = default(HashCode);
        foreach (var frame in stack)
        {
            if (frames.Get(frame.Method) is { Owner: FrameOwner.UserCode } own)
            {
                way.Add(own);
                way.Add(frame.IlOffset);
            }
        }

        return way.ToHashCode();
    }
}
