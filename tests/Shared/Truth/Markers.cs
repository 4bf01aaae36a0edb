using System.Text.RegularExpressions;

namespace AsyncProbe.Tests.Truth;

/// <summary>
/// Lines that carry a comment <c>// blocks: name</c>. A comment changes neither the code nor its speed, and moves with its line.
/// </summary>
internal sealed partial class Markers
{
    private readonly Dictionary<string, (string File, int Line)> _places = new(StringComparer.Ordinal);

    /// <param name="folder">The folder of the sources, including its subfolders.</param>
    public Markers(string folder)
    {
        foreach (var path in Directory.EnumerateFiles(folder, "*.cs*", SearchOption.AllDirectories))
        {
            if (!BuiltFolder().IsMatch(path))
            {
                Add(Path.GetFileName(path), File.ReadAllLines(path));
            }
        }
    }

    public (string File, int Line) Find(string name) =>
        _places.TryGetValue(name, out var place)
            ? place
            : throw new ArgumentException($"No line carries the comment '// blocks: {name}'.", nameof(name));

    /// <summary>A site at the line with this marker.</summary>
    public SiteTruth Site(string name, string kind, string method)
    {
        var (file, line) = Find(name);
        return new SiteTruth { Kind = kind, Method = method, File = file, Line = line };
    }

    private void Add(string file, string[] lines)
    {
        for (var i = 0; i < lines.Length; i++)
        {
            if (Marker().Match(lines[i]) is { Success: true } match && !_places.TryAdd(match.Groups[1].Value, (file, i + 1)))
            {
                throw new InvalidOperationException($"{file}, line {i + 1}: '{match.Groups[1].Value}' names another line already.");
            }
        }
    }

    // Razor pages write the marker between @* and *@.
    [GeneratedRegex(@"(?://|@\*) blocks: (\S+)")]
    private static partial Regex Marker();

    [GeneratedRegex(@"[/\\](bin|obj)[/\\]")]
    private static partial Regex BuiltFolder();
}
