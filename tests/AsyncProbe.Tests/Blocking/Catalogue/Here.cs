using System.Collections.Concurrent;
using System.Runtime.CompilerServices;

namespace AsyncProbe.Tests.Blocking.Catalogue;

/// <summary>Records that the next line of the calling method is the one that blocks. Each is known as "File.Method".</summary>
internal static class Here
{
    private static readonly ConcurrentDictionary<string, int> s_lines = new();

    public static void Next(
        [CallerMemberName] string method = "", [CallerLineNumber] int line = 0, [CallerFilePath] string file = "") =>
        s_lines[$"{Path.GetFileNameWithoutExtension(file)}.{method}"] = line + 1;

    public static bool Knows(string place) => s_lines.ContainsKey(place);

    public static int LineOf(string place) => s_lines[place];
}
