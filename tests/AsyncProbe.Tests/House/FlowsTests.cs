using System.Text.RegularExpressions;

namespace AsyncProbe.Tests.House;

/// <summary>The paths through the code that CONTRIBUTING.md describes are short, and go through files that exist.</summary>
[Trait(Logic.Category, Logic.Name)]
public sealed class FlowsTests
{
    [Theory]
    [InlineData("## A request's way through the package")]
    [InlineData("## A wait's way through the package")]
    public void Way_GoesThroughAtMost14Files_AndAllOfThemAreThere(string heading)
    {
        var text = File.ReadAllText(Path.Combine(Repository.Folder, "CONTRIBUTING.md"));
        var section = text.Split(heading + "\n")[1].Split("\n## ")[0];
        var files = Regex.Matches(section, @"^\d+\. `([\w/]+\.cs)`", RegexOptions.Multiline).Select(match => match.Groups[1].Value)
            .ToList();

        files.Count.ShouldBeInRange(10, 14);
        files.ShouldBeUnique();
        files.ShouldAllBe(file => File.Exists(Path.Combine(Repository.Folder, "src", "AsyncProbe", file)));
    }
}
