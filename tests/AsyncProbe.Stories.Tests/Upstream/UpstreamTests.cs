using System.Diagnostics;

namespace AsyncProbe.Stories.Tests.Upstream;

/// <summary>The second process starts, stops and restarts with the first.</summary>
[SideBySide]
public sealed class UpstreamTests
{
    [Fact]
    public async Task Upstream_Ends_WhenTheSampleIsKilled()
    {
        await using var sample = await SampleProcess.StartAsync();
        using var upstream = Process.GetProcessById(await sample.UpstreamIdAsync());

        sample.Process.Kill();

        await upstream.WaitForExitAsync().WaitAsync(TestApp.Timeout);
    }

    [Fact]
    public async Task Upstream_ComesBack_WhenItDies()
    {
        await using var sample = await SampleProcess.StartAsync();
        using (var upstream = Process.GetProcessById(await sample.UpstreamIdAsync()))
        {
            upstream.Kill();
        }

        await sample.LineAsync("is started again");

        await Eventually.TrueAsync(
            async () =>
            {
                using var answer = await sample.Client.GetAsync(new Uri("/backend/async?delayMs=1", UriKind.Relative));
                if (!answer.IsSuccessStatusCode)
                {
                    await answer.ShouldBeProblemAsync(503);
                }

                return answer.IsSuccessStatusCode;
            },
            () => sample.Output);
    }
}
