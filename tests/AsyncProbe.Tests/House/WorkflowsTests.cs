using System.Text.RegularExpressions;

namespace AsyncProbe.Tests.House;

/// <summary>
/// The workflows run where the authors can't try them: a filter that matches no test would pass, and a missing path fail a week later.
/// </summary>
[Trait(Logic.Category, Logic.Name)]
public sealed partial class WorkflowsTests
{
    public static TheoryData<string, string> TestSteps()
    {
        var data = new TheoryData<string, string>();
        foreach (var file in Directory.EnumerateFiles(Path.Combine(Repository.Folder, ".github", "workflows"), "*.yml"))
        {
            foreach (var line in File.ReadLines(file).Where(line => line.Contains("dotnet test", StringComparison.Ordinal)))
            {
                data.Add(Path.GetFileName(file), line.Trim());
            }
        }

        return data;
    }

    [Theory]
    [MemberData(nameof(TestSteps))]
    public void Step_RunsTestsThatExist(string workflow, string step)
    {
        var project = ProjectPattern().Match(step).Groups[1].Value;
        File.Exists(Path.Combine(Repository.Folder, project, Path.GetFileName(project) + ".csproj")).ShouldBeTrue($"{workflow}: {step}");

        var folder = Path.Combine(Repository.Folder, project);
        var sources = Directory.EnumerateFiles(folder, "*Tests.cs", SearchOption.AllDirectories)
            .Select(file => Path.GetRelativePath(folder, file)).ToList();
        foreach (Match name in NamePattern().Matches(step))
        {
            sources.ShouldContain(file => file.Contains(name.Groups[1].Value, StringComparison.Ordinal), $"{workflow}: {step}");
        }
    }

    [Fact]
    public void Matrix_HasTheSystemsThatTheReadmeCallsNotRun()
    {
        var workflow = File.ReadAllText(Path.Combine(Repository.Folder, ".github", "workflows", "elsewhere.yml"));

        foreach (var system in new[] { "windows-latest", "macos-latest", "ubuntu-24.04-arm", "sdk:10.0-alpine" })
        {
            workflow.ShouldContain(system);
        }
    }

    [GeneratedRegex("dotnet test (tests/[A-Za-z.]+)")]
    private static partial Regex ProjectPattern();

    [GeneratedRegex("FullyQualifiedName~([A-Za-z]+)")]
    private static partial Regex NamePattern();
}
