using System.Text.Json.Nodes;

namespace AsyncProbe.Stories.Tests.Findings;

/// <summary>A sample that has committed every sin, and whose report names them.</summary>
public sealed class SinfulSample : IAsyncLifetime
{
    public const string Collection = "A sample that has committed every sin";

    private SampleProcess? _sample;

    public string Url => _sample!.Address.ToString();

    public async Task InitializeAsync()
    {
        _sample = await SampleProcess.StartAsync("--environment", "Development", "--Sample:Upstream", "false");
        var sins = JsonNode.Parse(await _sample.TextAsync("/sins"))!.AsArray().Where(sin => (bool)sin!["isInAll"]!).ToList();
        await CommitAsync(sins.Select(sin => (string)sin!["route"]!));

        // On a crowded machine a wait may be over before it blocks, and then nothing was blocked. So try once more, for longer.
        var seen = sins.Where(sin => (string?)sin!["seenBy"] == "hook").Select(sin => (string)sin!["route"]!).ToList();
        foreach (var ms in (int[])[200, 800])
        {
            var named = await NamedAsync();
            await CommitAsync(seen.Where(route => !named.Contains("GET " + route)).Select(route => $"{route}?ms={ms}"));
        }
    }

    public async Task DisposeAsync() => await (_sample?.DisposeAsync() ?? ValueTask.CompletedTask);

    private async Task CommitAsync(IEnumerable<string> routes)
    {
        foreach (var route in routes)
        {
            using var answer = await _sample!.Client.GetAsync(new Uri(route, UriKind.Relative));
        }
    }

    /// <summary>The endpoints for which the report names a line.</summary>
    private async Task<HashSet<string>> NamedAsync() =>
    [
        .. from site in JsonNode.Parse(await _sample!.TextAsync("/_threadpool"))!["sites"]!.AsArray()
           from endpoint in site!["endpoints"]!.AsArray()
           select (string)endpoint!,
    ];
}

[CollectionDefinition(SinfulSample.Collection, DisableParallelization = true)]
public sealed class SinfulSampleUsers : ICollectionFixture<SinfulSample>;
