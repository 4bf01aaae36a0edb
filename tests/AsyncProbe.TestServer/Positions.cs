using System.Runtime.CompilerServices;

namespace AsyncProbe.TestServer;

/// <summary>The same sleep before any await, after one, and after two with ConfigureAwait(false), as in a library.</summary>
internal static class Positions
{
    public static string First(int ms) => Sleep(ms);

    public static async Task<string> LaterAsync(int ms)
    {
        await Task.Delay(1);
        return Sleep(ms);
    }

    public static async Task<string> LibraryAsync(int ms)
    {
        await Task.Delay(1).ConfigureAwait(false);
        await Task.Delay(1).ConfigureAwait(false);
        return Sleep(ms);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static string Sleep(int ms)
    {
        Thread.Sleep(ms);
        return "slept";
    }
}
