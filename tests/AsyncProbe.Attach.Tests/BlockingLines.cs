using System.Globalization;
using System.Text.RegularExpressions;

namespace AsyncProbe.Attach.Tests;

/// <summary>The lines of the targets that a comment marks as blocking.</summary>
internal static partial class BlockingLines
{
    /// <summary>Maps the path that a line blocks to the line, such as "Waits.cs:9".</summary>
    public static IReadOnlyDictionary<string, string> All { get; } =
        new[] { "AsyncProbe.AttachTarget", "AsyncProbe.ConsoleTarget" }
            .SelectMany(project => Directory.EnumerateFiles(Path.Combine(Repository.Folder, "tests", project), "*.cs"))
            .SelectMany(file => File.ReadLines(file).Select((text, i) => (Match: Comment().Match(text), At: At(file, i + 1))))
            .Where(line => line.Match.Success)
            .ToDictionary(line => line.Match.Groups[1].Value, line => line.At);

    private static string At(string file, int line) =>
        string.Create(CultureInfo.InvariantCulture, $"{Path.GetFileName(file)}:{line}");

    [GeneratedRegex(@"// blocks: (\S+)")]
    private static partial Regex Comment();
}
