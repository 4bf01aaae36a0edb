using System.Text.Json.Nodes;

namespace AsyncProbe.Stories.Tests.Findings;

/// <summary>A sample that has committed every sin once.</summary>
public sealed class SinfulSample : IAsyncLifetime
{
    private SampleProcess? _sample;

    public string Url => _sample!.Address.ToString();

    public async Task InitializeAsync()
    {
        _sample = await SampleProcess.StartAsync("--environment", "Development", "--Sample:Upstream", "false");
        foreach (var sin in JsonNode.Parse(await _sample.TextAsync("/sins"))!.AsArray().Where(sin => (bool)sin!["isInAll"]!))
        {
            using var answer = await _sample.Client.GetAsync(new Uri((string)sin!["route"]!, UriKind.Relative));
        }
    }

    public async Task DisposeAsync() => await (_sample?.DisposeAsync() ?? ValueTask.CompletedTask);
}
