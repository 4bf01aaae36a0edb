namespace AsyncProbe.Tests.House;

/// <summary>Two files fit next to each other on a screen.</summary>
[Trait(Logic.Category, Logic.Name)]
public sealed class LinesTests
{
    private const int Most = 140;

    /// <summary>A line that contains a string may be longer: some kinds of string can't be split.</summary>
    [Fact]
    public void Line_IsNoLongerThanTheEditorShows_UnlessATextRunsPast() =>
        Directory.EnumerateFiles(Path.Combine(Repository.Folder, "src"), "*.cs", SearchOption.AllDirectories)
            .Where(file => !file.Contains($"{Path.DirectorySeparatorChar}obj{Path.DirectorySeparatorChar}", StringComparison.Ordinal))
            .SelectMany(file => File.ReadLines(file).Select((line, i) => (Text: line, At: $"{Path.GetFileName(file)}:{i + 1}")))
            .Where(line => line.Text.Length > Most && !line.Text.Contains('"', StringComparison.Ordinal))
            .Select(line => line.At)
            .ShouldBeEmpty();
}
