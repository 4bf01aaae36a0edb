using System.Net;
using System.Runtime.CompilerServices;

namespace AsyncProbe.TestServer;

/// <summary>Uses the machine's resolver without await.</summary>
internal static class Resolving
{
    /// <returns>The number of addresses.</returns>
    [MethodImpl(MethodImplOptions.NoInlining)]
    public static int Resolve(string name)
    {
        var entry = Dns.GetHostEntry(name);
        return entry.AddressList.Length;
    }

    public static async Task<int> ResolveLaterAsync(string name)
    {
        await Task.Yield();
        return Resolve(name);
    }

    /// <summary>As in a library: no await returns to the caller's context.</summary>
    public static async Task<int> ResolveInLibraryAsync(string name)
    {
        await Task.Delay(1).ConfigureAwait(false);
        await Task.Delay(1).ConfigureAwait(false);
        return Resolve(name);
    }
}
