using System.Text.RegularExpressions;

namespace AsyncProbe.Cli.Tests.House;

public class SessionFlowTests
{
    [Fact]
    public void SessionsWay_GoesThroughAtMost24Files_AndAllOfThemAreThere()
    {
        var text = File.ReadAllText(Path.Combine(Repository.Folder, "CONTRIBUTING.md"));
        var section = text.Split("## A session's way through the command")[1].Split("\n## ")[0];
        var files = Regex.Matches(section, @"^\d+\. `([\w/]+\.cs)`", RegexOptions.Multiline).Select(match => match.Groups[1].Value)
            .ToList();

        files.Count.ShouldBeInRange(20, 24);
        files.ShouldBeUnique();
        files.ShouldAllBe(file => File.Exists(Path.Combine(Repository.Folder, "src", "AsyncProbe.Cli", file)));
    }

    /// <summary>
    /// A second preparation would read the files and the environment again, and could send something other than what was checked.
    /// </summary>
    [Fact]
    public void Session_IsPreparedInOnePlace()
    {
        var references = TypeUses.Read(typeof(AsyncProbe.Cli.Commands.CommandLine).Assembly.Location);

        Users("AsyncProbe.Cli.Load.RequestPreparer").ShouldBe(["AsyncProbe.Cli.Load.PreparedSession"]);
        Users("AsyncProbe.Cli.Load.LoadRun").ShouldBe(["AsyncProbe.Cli.Runs.SessionRun"]);

        IEnumerable<string> Users(string type) => references.Where(reference => reference.Used == type).Select(reference => reference.User);
    }
}
