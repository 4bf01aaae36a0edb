using System.Net;
using System.Text.Json;

namespace AsyncProbe.Sample.Tests.Hosting;

/// <summary>The start page's button. It starves the pool of its process, so the sample runs in its own process.</summary>
public sealed class CrowdTests
{
    [Fact]
    public async Task Button_OpensTheLivePage_AndStarvesThePool()
    {
        var lifeline = new Uri($"http://127.0.0.1:{FreePort.Take()}");
        await using var sample = await SampleProcess.StartAsync($"--AsyncProbe:LifelinePort={lifeline.Port}", "--Sample:Upstream=false");
        (await sample.TextAsync("/")).ShouldContain("action=\"/starve\"");
        using var browser = new HttpClient(new HttpClientHandler { AllowAutoRedirect = false }) { Timeout = Eventually.Timeout };

        using var answer = await browser.PostAsync(new Uri(sample.Address, "starve"), null);

        answer.StatusCode.ShouldBe(HttpStatusCode.Redirect);
        answer.Headers.Location!.OriginalString.ShouldBe("/_threadpool");
        await Eventually.TrueAsync(
            async () => (await PoolAsync(browser, lifeline)).GetProperty("state").GetString() == "starved", "the pool is not starved");
    }

    private static async Task<JsonElement> PoolAsync(HttpClient browser, Uri lifeline)
    {
        using var report = JsonDocument.Parse(await browser.GetStringAsync(lifeline));
        return report.RootElement.GetProperty("pool").Clone();
    }
}
