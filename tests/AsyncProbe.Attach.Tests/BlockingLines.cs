using System.Globalization;
using System.Text.RegularExpressions;

namespace AsyncProbe.Attach.Tests;

/// <summary>The lines of the target that say what they block.</summary>
internal static partial class BlockingLines
{
    /// <summary>The path that a line blocks, and the line as "Waits.cs:9".</summary>
    public static IReadOnlyDictionary<string, string> All { get; } =
        Directory.EnumerateFiles(Path.Combine(Repository.Folder, "tests", "AsyncProbe.AttachTarget"), "*.cs")
            .SelectMany(file => File.ReadLines(file).Select((text, i) => (Match: Comment().Match(text), At: At(file, i + 1))))
            .Where(line => line.Match.Success)
            .ToDictionary(line => line.Match.Groups[1].Value, line => line.At);

    private static string At(string file, int line) =>
        string.Create(CultureInfo.InvariantCulture, $"{Path.GetFileName(file)}:{line}");

    [GeneratedRegex(@"// blocks: (\S+)")]
    private static partial Regex Comment();
}
