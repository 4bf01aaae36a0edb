using System.Text.RegularExpressions;

namespace AsyncProbe.Tests.Readme;

public sealed partial class ReadmeTests
{
    [Fact]
    public async Task Readme_ShowsOnlyCodeThatCompiles()
    {
        var compiled = "";
        foreach (var file in Directory.GetFiles(Path.Combine(Repository.Folder, "tests", "AsyncProbe.Tests", "Readme"), "*.cs"))
        {
            compiled += Squeeze(await File.ReadAllTextAsync(file));
        }

        var blocks = CSharpBlock().Matches(await ReadmeAsync()).Select(m => m.Groups[1].Value).ToList();

        blocks.Count.ShouldBeGreaterThanOrEqualTo(2);
        blocks.ShouldAllBe(block => compiled.Contains(Squeeze(block), StringComparison.Ordinal));
    }

    [Fact]
    public async Task Readme_NamesEveryOption()
    {
        var readme = await ReadmeAsync();

        typeof(AsyncProbeOptions).GetProperties().Select(p => p.Name).ShouldAllBe(name => readme.Contains($"`{name}`", StringComparison.Ordinal));
    }

    [Fact]
    public async Task Readme_LinksOnlyToFilesThatExist()
    {
        var links = RelativeLink().Matches(await ReadmeAsync()).Select(m => m.Groups[1].Value);

        links.ShouldAllBe(link => Path.Exists(Path.Combine(Repository.Folder, link)));
    }

    [Fact]
    public void Docs_LinkOnlyToFilesThatExist()
    {
        string[] folders = ["docs", "websurge", "benchmarks", "tests/mutation", ".github"];
        var files = Directory.GetFiles(Repository.Folder, "*.md")
            .Concat(folders.SelectMany(folder => Directory.GetFiles(Path.Combine(Repository.Folder, folder), "*.md", SearchOption.TopDirectoryOnly)));

        var dead =
            from file in files
            from Match link in RelativeLink().Matches(File.ReadAllText(file))
            where !Path.Exists(Path.Combine(Path.GetDirectoryName(file)!, link.Groups[1].Value))
            select $"{Path.GetRelativePath(Repository.Folder, file)}: {link.Groups[1].Value}";

        dead.ShouldBeEmpty();
    }

    [Fact]
    public async Task Readme_StaysShort() => (await ReadmeAsync()).Split('\n').Length.ShouldBeLessThanOrEqualTo(250);

    private static Task<string> ReadmeAsync() => File.ReadAllTextAsync(Path.Combine(Repository.Folder, "README.md"));

    // Indentation and line breaks are the only difference that is allowed.
    private static string Squeeze(string code) => WhiteSpace().Replace(code, "");

    [GeneratedRegex("```csharp\n(.*?)```", RegexOptions.Singleline)]
    private static partial Regex CSharpBlock();

    [GeneratedRegex(@"\]\((?!https?:)([^)#]+)[^)]*\)")]
    private static partial Regex RelativeLink();

    [GeneratedRegex(@"\s+")]
    private static partial Regex WhiteSpace();
}
