using System.Text.Json.Nodes;

namespace AsyncProbe.Stories.Tests.Findings;

/// <summary>What the sample's sins look like in the viewer that the profile is made for.</summary>
[Collection(SinfulSample.Collection)]
public sealed class SpeedscopeTests(SinfulSample sample) : IDisposable
{
    private readonly DirectoryInfo _folder = Directory.CreateTempSubdirectory("asyncprobe-speedscope-");

    [Fact]
    public async Task Speedscope_ShowsEachEndpointWithItsBlockedTime()
    {
        var file = Path.Combine(_folder.FullName, "blocked.speedscope.json");
        await AsyncProbeCommand.ResultsAsync("report", sample.Url, "-o", file);
        var endpoints = Endpoints(JsonNode.Parse(await File.ReadAllTextAsync(file))!);
        using var client = new HttpClient();
        var report = JsonNode.Parse(await client.GetStringAsync(new Uri(new Uri(sample.Url), "_threadpool")))!;

        var shown = await Speedscope.OpenAsync(file, _folder.FullName, endpoints.Keys);

        shown.Errors.ShouldBeEmpty();
        shown.Title.ShouldBe("blocked time - speedscope");
        endpoints.Count.ShouldBeGreaterThan(20);
        foreach (var (name, blockedMs) in endpoints)
        {
            // It shows two decimals of its unit, and adds up the rounded numbers.
            shown.Frames.Where(frame => frame.Name == name).ShouldHaveSingleItem().TotalMs.ShouldBe(blockedMs, 0.01 + (blockedMs / 100));
        }

        var blocked = report["sites"]!.AsArray().Sum(site => (double)site!["blockedMs"]!["total"]!);
        shown.Frames.Where(frame => endpoints.ContainsKey(frame.Name)).Sum(frame => frame.TotalMs).ShouldBe(blocked, blocked / 100);
    }

    public void Dispose() => _folder.Delete(recursive: true);

    /// <summary>The outermost frames, each with its time.</summary>
    private static Dictionary<string, double> Endpoints(JsonNode profile)
    {
        var (frames, all) = (profile["shared"]!["frames"]!, profile["profiles"]![0]!);
        return all["samples"]!.AsArray().Zip(all["weights"]!.AsArray())
            .GroupBy(pair => (string)frames[(int)pair.First![0]!]!["name"]!, pair => (double)pair.Second!)
            .ToDictionary(endpoint => endpoint.Key, endpoint => endpoint.Sum());
    }
}
