using System.Text.Json.Nodes;

namespace AsyncProbe.Stories.Tests.Findings;

/// <summary>The warnings that a real run of the sample causes in the sample's next build.</summary>
[Collection(SinfulSample.Collection)]
public sealed class AnalyzerTests(SinfulSample sample) : IDisposable
{
    private const string Changed = "Sins/TaskSins.cs";
    private const string Locks = "Sins/LockSins.cs";

    private readonly DirectoryInfo _folder = Directory.CreateTempSubdirectory("asyncprobe-analyzer-");

    [Fact]
    public async Task Build_WarnsAtEachLineThatBlocked()
    {
        var report = Path.Combine(_folder.FullName, "blocked.asyncprobe.json");
        await AsyncProbeCommand.ResultsAsync("report", sample.Url, "-o", report);
        var lines = Lines(report, "knownSites");

        var warnings = await SampleBuild.WarnAsync(_folder.FullName, report);

        lines.Count.ShouldBeGreaterThan(20);
        lines.ShouldBeSubsetOf(Lines(warnings));
        Lines(warnings).ShouldBeSubsetOf(Lines(report, "knownSites", isSampledToo: true));
        warnings.Select(warning => warning.Rule).Distinct().Count().ShouldBeGreaterThan(5);
    }

    [Fact]
    public async Task Build_FollowsMovedLines_AndForgetsRemovedCalls_WhenTheCodeHasChangedSinceTheReport()
    {
        var report = Path.Combine(_folder.FullName, "report.json");
        using (var client = new HttpClient())
        {
            await File.WriteAllTextAsync(report, await client.GetStringAsync(new Uri(new Uri(sample.Url), "_threadpool")));
        }

        const string removed = "new TaskCompletionSource().Task.Wait(TimeSpan.FromMilliseconds(ms));";
        string[] head = ["// A file's head of", "// three lines", "// that it did not have."];
        var source = await File.ReadAllLinesAsync(Path.Combine(SampleBuild.SampleFolder, Changed));
        var gone = Array.FindIndex(source, line => line.Trim() == removed) + 1;
        gone.ShouldBeGreaterThan(0);
        source[gone - 1] = "        // Nothing is left to wait for.";
        Directory.CreateDirectory(Path.Combine(_folder.FullName, "Sins"));
        await File.WriteAllLinesAsync(Path.Combine(_folder.FullName, Changed), [.. head, .. source]);

        var warnings = await SampleBuild.WarnAsync(_folder.FullName, report, Changed);

        var before = Numbers(Lines(report, "sites"));
        before.ShouldContain(gone);
        Expected(before).ShouldBeSubsetOf(Numbers(Lines(warnings)));
        Numbers(Lines(warnings)).ShouldBeSubsetOf(Expected(Numbers(Lines(report, "sites", isSampledToo: true))));

        IEnumerable<int> Expected(IEnumerable<int> lines) => lines.Where(line => line != gone).Select(line => line + head.Length);
    }

    public void Dispose() => _folder.Delete(recursive: true);

    private static List<int> Numbers(IEnumerable<(string File, int Number)> lines) =>
        [.. lines.Where(line => line.File == Changed).Select(line => line.Number)];

    /// <summary>The lines that a report names and that aren't allowed. Whether a sample catches a wait is a matter of luck.</summary>
    private static List<(string File, int Number)> Lines(string report, string table, bool isSampledToo = false) => Sorted(
        from site in JsonNode.Parse(File.ReadAllText(report))![table]!.AsArray()
        where site!["allowed"] is null && site["file"] is not null && site["line"] is not null
        where isSampledToo || (bool?)site["sampled"] != true
        where IsOfTheSample((string)site["file"]!, (string)site["kind"]! == "Lock")
        select ((string)site["file"]!, (int)site["line"]!));

    private static List<(string File, int Number)> Lines(IEnumerable<SampleBuild.Warning> warnings) => Sorted(
        from warning in warnings
        where IsOfTheSample(warning.File, warning.Rule == "BlockingLock")
        select (warning.File, warning.Line));

    // The runtime's own locks come and go with the machine's load, at lines that take no lock.
    private static bool IsOfTheSample(string file, bool isLock) => !isLock || file == Locks;

    private static List<(string File, int Number)> Sorted(IEnumerable<(string File, int Number)> lines) =>
        [.. lines.Distinct().OrderBy(line => line.File, StringComparer.Ordinal).ThenBy(line => line.Number)];
}
