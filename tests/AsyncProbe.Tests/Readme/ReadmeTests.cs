using System.Text.RegularExpressions;

namespace AsyncProbe.Tests.Readme;

public sealed partial class ReadmeTests
{
    [Fact]
    public void Readme_FitsOneScreen() => Documents.Read("README.md").Split('\n').Length.ShouldBeLessThanOrEqualTo(150);

    [Fact]
    public void Readme_RunsTheSample_BeforeItShowsWhatTheSampleAnswers()
    {
        var readme = Documents.Read("README.md");

        readme.IndexOf("dotnet run --project src/AsyncProbe.Sample", StringComparison.Ordinal)
            .ShouldBeInRange(0, readme.IndexOf("$ curl", StringComparison.Ordinal));
        readme.IndexOf("dotnet run --project src/AsyncProbe.Sample", StringComparison.Ordinal)
            .ShouldBeInRange(0, readme.Length / 3, "the way to try it is near the top");
        readme.ShouldContain("\ndotnet test\n");
    }

    [Fact]
    public void Reference_NamesEveryOption()
    {
        var reference = Documents.Read("docs/reference.md");

        typeof(AsyncProbeOptions).GetProperties().Select(p => p.Name)
            .ShouldAllBe(name => reference.Contains($"`{name}`", StringComparison.Ordinal));
    }

    [Fact]
    public void Documents_LinkOnlyToWhatExists()
    {
        var dead =
            from document in Documents.Paths
            from Match link in RelativeLink().Matches(Documents.Read(document))
            where !Leads(document, link.Groups["file"].Value, link.Groups["heading"].Value)
            select $"{document}: {link.Value}";

        dead.ShouldBeEmpty();
    }

    private static bool Leads(string document, string file, string heading)
    {
        var path = file.Length == 0
            ? Path.Combine(Repository.Folder, document)
            : Path.Combine(Path.GetDirectoryName(Path.Combine(Repository.Folder, document))!, file);
        return heading.Length == 0
            ? Path.Exists(path)
            : File.Exists(path) && Heading().Matches(File.ReadAllText(path)).Any(h => Anchor(h.Groups[1].Value) == heading);
    }

    // As sites that render Markdown create it: lower case, no punctuation, a dash for each space.
    private static string Anchor(string heading) => NoWord().Replace(heading.Trim().ToLowerInvariant(), "").Replace(' ', '-');

    [GeneratedRegex(@"\]\((?!https?:)(?<file>[^)#\s]*)(#(?<heading>[^)\s]*))?\)")]
    private static partial Regex RelativeLink();

    [GeneratedRegex("^#+ (.*)$", RegexOptions.Multiline)]
    private static partial Regex Heading();

    [GeneratedRegex(@"[^\p{L}\p{N} _-]")]
    private static partial Regex NoWord();
}
