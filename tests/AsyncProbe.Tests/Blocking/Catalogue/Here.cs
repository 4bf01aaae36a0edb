using System.Collections.Concurrent;
using System.Runtime.CompilerServices;

namespace AsyncProbe.Tests.Blocking.Catalogue;

/// <summary>Notes that the next line of the calling method is the one that blocks.</summary>
internal static class Here
{
    private static readonly ConcurrentDictionary<string, int> s_lines = new();

    public static void Next([CallerMemberName] string method = "", [CallerLineNumber] int line = 0) => s_lines[method] = line + 1;

    public static bool Knows(string method) => s_lines.ContainsKey(method);

    public static int LineOf(string method) => s_lines[method];
}
