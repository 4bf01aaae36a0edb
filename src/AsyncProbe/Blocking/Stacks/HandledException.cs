using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace AsyncProbe.Blocking.Stacks;

/// <summary>Whether the calling thread is handling an exception, in any method on its stack.</summary>
internal static class HandledException
{
    private static bool s_isUnknown;

    /// <returns>Null where the runtime doesn't say.</returns>
    public static bool? IsOnThisThread()
    {
        if (s_isUnknown)
        {
            return null;
        }

        try
        {
            return Code() != 0;
        }
        catch (Exception)
        {
            // A later runtime may have removed GetExceptionCode. Calling Code then throws, because it can't be compiled.
            s_isUnknown = true;
            return null;
        }
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
#pragma warning disable CS0618 // No other API reports it, and nothing is lost where it is missing.
    private static int Code() => Marshal.GetExceptionCode();
#pragma warning restore CS0618
}
