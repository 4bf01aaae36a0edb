using System.Text.Json;
using AsyncProbe.Cli.Joining;
using AsyncProbe.Cli.Snapshots;

namespace AsyncProbe.Cli.Tests.Recorded;

/// <summary>
/// Applies the rules to recorded reports of the zoo, whose true verdicts are known. The approved file holds every verdict and advice, so a change
/// of a rule shows its effect on all of these cases as a diff.
/// </summary>
[Trait("Category", "Logic")]
public class RecordedReportsTests
{
    private static readonly string s_folder = Path.Combine(Repository.Folder, "tests", "AsyncProbe.Cli.Tests", "Recorded");

    public static IEnumerable<object[]> Recordings { get; } =
        [.. Directory.GetFiles(s_folder, "*.json").Order(StringComparer.Ordinal).Select(path => new object[] { Path.GetFileNameWithoutExtension(path) })];

    [Fact]
    [Trait("Category", ApprovedTexts.Category)]
    public void Verdicts_AreApproved()
    {
        var texts = new ApprovedTexts("AsyncProbe.Cli.Tests/Recorded/Verdicts");
        foreach (var name in Recordings.Select(row => (string)row[0]))
        {
            texts.Add(name, string.Join('\n', Replay(name).Select(row =>
                $"{row.Side.Endpoint}: {row.Side.Verdict}{(row.IsRight ? "" : $" (wrong: it is {row.Truth})")}. {row.Side.Advice}".TrimEnd())));
        }

        texts.ShouldBeApproved();
    }

    [Theory]
    [MemberData(nameof(Recordings))]
    public void EverySetting_HasMostVerdictsRight(string name)
    {
        var rows = Replay(name);

        rows.Count.ShouldBeGreaterThan(50);
        rows.Count(row => row.IsRight).ShouldBeGreaterThan((int)(rows.Count * 0.9));
    }

    private static IReadOnlyList<(EndpointSide Side, string Truth, bool IsRight)> Replay(string name)
    {
        using var json = JsonDocument.Parse(File.ReadAllText(Path.Combine(s_folder, name + ".json")));
        var truths = json.RootElement.GetProperty("truths").EnumerateObject().ToDictionary(truth => truth.Name, truth => truth.Value.GetString()!);
        var report = ServerSnapshot.Read(json.RootElement.GetProperty("report"), receivedAt: 0).ShouldNotBeNull();
        var (endpoints, _) = EndpointJoin.Build(begin: null, report, CeilingLimits.From(begin: null, report, report.Pool.Threads));
        return [.. endpoints.Where(side => truths.ContainsKey(side.Endpoint)).OrderBy(side => side.Endpoint, StringComparer.Ordinal)
            .Select(side => (side, truths[side.Endpoint], truths[side.Endpoint].Split('|').Contains(side.Verdict)))];
    }
}
