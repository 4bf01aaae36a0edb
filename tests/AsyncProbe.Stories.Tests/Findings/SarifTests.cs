using System.Text.Json.Nodes;

namespace AsyncProbe.Stories.Tests.Findings;

/// <summary>What the sample's sins look like in code review, validated by SARIF's own tool.</summary>
[Collection(SinfulSample.Collection)]
public sealed class SarifTests(SinfulSample sample) : IDisposable
{
    private readonly DirectoryInfo _folder = Directory.CreateTempSubdirectory("asyncprobe-sarif-");

    [Fact]
    public async Task Log_IsValid_ForGitHubToo_AndEachResultLiesInTheRepository()
    {
        var (all, run) = (Path.Combine(_folder.FullName, "all.sarif"), Path.Combine(_folder.FullName, "run.sarif"));
        string[] sources = ["--sources", Repository.Folder];

        await AsyncProbeCommand.ResultsAsync(["report", sample.Url, "-o", all, .. sources]);
        await AsyncProbeCommand.ResultsAsync(
            ["run", AsyncProbeCommand.Session("customers-sync"), "--base-url", sample.Url, "-t", "2", "-s", "2", "-w", "1", "-o", run,
                .. sources]);

        var results = Results(all);
        results.Count.ShouldBeGreaterThan(20);
        results.Select(result => (string)result["ruleId"]!).Distinct().Count().ShouldBeGreaterThan(5);
        results.ShouldAllBe(result => LineOf(result).Length > 0);
        LineOf(Results(run).Single(result => ((string)result["message"]!["text"]!).Contains("SyncGet200MsDelay", StringComparison.Ordinal)
                && (string)result["ruleId"]! != "BlockingLock"))
            .ShouldContain(".Wait();");
        (await SarifValidator.ValidateAsync(all)).ShouldBeEmpty();
        (await SarifValidator.ValidateAsync(run)).ShouldBeEmpty();

        // The validator also says nothing where it doesn't look.
        await File.WriteAllTextAsync(
            all, (await File.ReadAllTextAsync(all)).Replace("\"locations\"", "\"relatedLocations\"", StringComparison.Ordinal));
        (await SarifValidator.ValidateAsync(all)).ShouldContain(complaint => complaint.StartsWith("GH", StringComparison.Ordinal));
    }

    [Fact]
    public async Task Profile_HoldsEverySiteThatSarifNames()
    {
        var (sarif, speedscope, collapsed) =
            (Path.Combine(_folder.FullName, "a.sarif"), Path.Combine(_folder.FullName, "a.speedscope.json"),
                Path.Combine(_folder.FullName, "a.collapsed"));

        // In this order, because sites are only ever added.
        await AsyncProbeCommand.ResultsAsync(
            "report", sample.Url, "-o", sarif, "-o", speedscope, "-o", collapsed, "--sources", Repository.Folder);

        var methods = Results(sarif).Select(result => (string)result["locations"]![0]!["logicalLocations"]![0]!["fullyQualifiedName"]!)
            .ToList();
        var profile = JsonNode.Parse(await File.ReadAllTextAsync(speedscope))!;
        var frames = profile["shared"]!["frames"]!.AsArray().Select(frame => (string)frame!["name"]!).ToList();
        var lines = await File.ReadAllLinesAsync(collapsed);
        methods.Count.ShouldBeGreaterThan(20);
        methods.ShouldBeSubsetOf(frames);
        methods.ShouldAllBe(method => lines.Any(line => line.Contains(method, StringComparison.Ordinal)));
        profile["profiles"]![0]!["weights"]!.AsArray().Sum(weight => (double)weight!).ShouldBeGreaterThan(1000);
    }

    public void Dispose() => _folder.Delete(recursive: true);

    private static List<JsonNode> Results(string file) =>
        [.. JsonNode.Parse(File.ReadAllText(file))!["runs"]![0]!["results"]!.AsArray().Select(result => result!)];

    /// <summary>The text of the line that a result points to.</summary>
    private static string LineOf(JsonNode result)
    {
        var place = result["locations"]![0]!["physicalLocation"]!;
        var file = Path.Combine(Repository.Folder, Uri.UnescapeDataString((string)place["artifactLocation"]!["uri"]!));
        return File.ReadLines(file).ElementAt((int)place["region"]!["startLine"]! - 1).Trim();
    }
}
