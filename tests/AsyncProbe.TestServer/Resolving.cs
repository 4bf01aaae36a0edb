using System.Net;
using System.Runtime.CompilerServices;

namespace AsyncProbe.TestServer;

/// <summary>Asks the machine's resolver without await.</summary>
internal static class Resolving
{
    /// <returns>How many addresses there are.</returns>
    [MethodImpl(MethodImplOptions.NoInlining)]
    public static int Resolve(string name)
    {
        var entry = Dns.GetHostEntry(name);
        return entry.AddressList.Length;
    }
}
