using System.Text.RegularExpressions;

namespace AsyncProbe.Tests.House;

/// <summary>One name means one type, in the packages and the command together: a reader needn't ask which one is meant.</summary>
[Trait(Logic.Category, Logic.Name)]
public sealed partial class TypeNamesTests
{
    [Fact]
    public void Name_BelongsToOneType()
    {
        var types = Directory.EnumerateFiles(Path.Combine(Repository.Folder, "src"), "*.cs", SearchOption.AllDirectories)
            .Where(file => !file.Contains($"{Path.DirectorySeparatorChar}obj{Path.DirectorySeparatorChar}", StringComparison.Ordinal))
            // A type may have one file for each runtime.
            .Where(file => !file.EndsWith(".Net8.cs", StringComparison.Ordinal))
            .SelectMany(file => Declared().Matches(File.ReadAllText(file)).Select(type => (Name: type.Groups[1].Value, File: file)))
            .ToList();

        types.Count.ShouldBeGreaterThan(500);
        types.GroupBy(type => type.Name).Where(alike => alike.Select(type => type.File).Distinct().Count() > 1)
            .Select(alike => string.Join(", ", alike.Select(type => Path.GetRelativePath(Repository.Folder, type.File))))
            .ShouldBeEmpty();
    }

    [GeneratedRegex(@"^(?:public|internal) [\w ]*?(?:class|struct|interface|enum|record(?: struct)?) (\w+)", RegexOptions.Multiline)]
    private static partial Regex Declared();
}
