using System.Text.Json;
using AsyncProbe.Pool.Diagnosis;
using AsyncProbe.Tests.Blocking;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;

namespace AsyncProbe.Tests.Wiring;

/// <summary>A generic host without a web server: <c>AddAsyncProbe</c> is the only call that it can make.</summary>
public sealed class WorkerTests
{
    [Fact]
    public async Task Worker_HasItsOperations_WithTheLineThatBlocks()
    {
        var port = FreePort.Take();
        using var host = await StartAsync(o => o.LifelinePort = port);
        using (AsyncProbeOperation.Start("nightly import"))
        {
            await Task.Run(() => Waiting.TaskToWaitFor().Wait());
        }

        using var client = new HttpClient { Timeout = ProbedApp.Timeout };

        // The thread that waited may leave the operation a moment after the await.
        JsonElement report = default;
        await Eventually.TrueAsync(
            async () =>
            {
                report = JsonDocument.Parse(await client.GetStringAsync(new Uri($"http://127.0.0.1:{port}/"))).RootElement;
                return report.GetProperty("operations").EnumerateArray().Any(row => row.StoodStillMs() > 0);
            },
            () => $"no operation blocked: {report}");
        report.OperationNames().ShouldBe(["AsyncProbe: nightly import"]);
        report.GetProperty("sites")[0].GetProperty("at").GetString()!.ShouldContain(nameof(WorkerTests));
        await host.StopAsync().WaitAsync(ProbedApp.Timeout);
    }

    [Fact]
    public async Task Worker_SaysHowToSeeItsFigures_WhenNothingShowsThem()
    {
        LogLines log = new();
        using var host = await StartAsync(_ => { }, log);

        log.All.Where(l => l.Id.Id == 18).ShouldHaveSingleItem().Text.ShouldContain("AsyncProbe:LifelinePort");
        host.Services.GetRequiredService<PoolMonitor>().IsWatching.ShouldBeTrue();
        await host.StopAsync().WaitAsync(ProbedApp.Timeout);
        host.Services.GetRequiredService<PoolMonitor>().IsWatching.ShouldBeFalse();
    }

    [Fact]
    public async Task Worker_StartsNothing_WhenAsyncProbeIsSwitchedOff()
    {
        LogLines log = new();
        using var host = await StartAsync(o => (o.Enabled, o.LifelinePort) = (false, FreePort.Take()), log);

        log.All.ShouldNotContain(l => l.Id.Id == 18);
        host.Services.GetRequiredService<PoolMonitor>().IsWatching.ShouldBeFalse();
        await host.StopAsync().WaitAsync(ProbedApp.Timeout);
    }

    private static async Task<IHost> StartAsync(Action<AsyncProbeOptions> configure, LogLines? log = null)
    {
        var builder = Host.CreateApplicationBuilder(new HostApplicationBuilderSettings { EnvironmentName = "Development" });
        builder.Logging.ClearProviders().AddProvider(log ?? new LogLines());
        builder.Services.AddAsyncProbe(configure);
        var host = builder.Build();
        await host.StartAsync().WaitAsync(ProbedApp.Timeout);
        return host;
    }
}
