using AsyncProbe.Blocking.Hook;
using AsyncProbe.Pool.Diagnosis;
using AsyncProbe.Wiring;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Hosting;
using Microsoft.AspNetCore.TestHost;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;

namespace AsyncProbe.Tests.Wiring;

/// <summary>What is not asked for is not started.</summary>
public sealed class DemandTests
{
    [Theory]
    [InlineData("nothing", false, false)]
    [InlineData("map", true, false)]
    [InlineData("health", true, false)]
    [InlineData("lifeline", true, false)]
    [InlineData("use", true, true)]
    [InlineData("use, off", false, false)]
    public async Task Host_StartsOnlyWhatItsCallsNeed(string asks, bool watches, bool detects)
    {
        var builder = WebApplication.CreateSlimBuilder(new WebApplicationOptions { EnvironmentName = "Development" });
        builder.WebHost.UseTestServer();
        builder.Services.AddAsyncProbe(o =>
        {
            o.Enabled = asks != "use, off";
            o.LifelinePort = asks == "lifeline" ? FreePort.Take() : null;
        });
        if (asks == "health")
        {
            builder.Services.AddHealthChecks().AddAsyncProbe();
        }

        await using var app = builder.Build();
        if (asks == "map")
        {
            app.MapAsyncProbe();
        }
        else if (asks.StartsWith("use", StringComparison.Ordinal))
        {
            app.UseAsyncProbe();
        }

        await app.StartAsync().WaitAsync(ProbedApp.Timeout);

        ShouldRun(app.Services, watches, detects);
        await app.StopAsync().WaitAsync(ProbedApp.Timeout);
        ShouldRun(app.Services, watches: false, detects);
    }

    [Fact]
    public async Task Host_StartsWhatAStartupClassAsksFor_WhenItsPipelineIsMadeLast()
    {
        using var host = await new HostBuilder().ConfigureWebHost(web => web.UseTestServer()
            .ConfigureServices(s => s.AddAsyncProbe())
            .Configure(a => a.UseAsyncProbe())).UseEnvironment("Development").StartAsync().WaitAsync(ProbedApp.Timeout);

        ShouldRun(host.Services, watches: true, detects: true);
        await host.StopAsync().WaitAsync(ProbedApp.Timeout);
    }

    // Seen in our own tests: nothing ended with such a host, and the watcher of the process looked after it for ever.
    [Fact]
    public async Task Host_EndsWithItsDisposal_ThoughNobodyStoppedIt()
    {
        var builder = WebApplication.CreateSlimBuilder(new WebApplicationOptions { EnvironmentName = "Development" });
        builder.WebHost.UseTestServer();
        builder.Services.AddAsyncProbe();
        var app = builder.Build();
        app.UseAsyncProbe();
        await app.StartAsync().WaitAsync(ProbedApp.Timeout);
        var services = app.Services;
        var (pool, blocking) = (services.GetRequiredService<PoolMonitor>(), services.GetRequiredService<BlockingStartup>());
        pool.IsWatching.ShouldBeTrue();
        blocking.IsWatching.ShouldBeTrue();

        await app.DisposeAsync();

        pool.IsWatching.ShouldBeFalse();
        blocking.IsWatching.ShouldBeFalse();
    }

    private static void ShouldRun(IServiceProvider services, bool watches, bool detects)
    {
        (services.GetRequiredService<PoolMonitor>().WatcherCpuNs is not null).ShouldBe(watches);
        (services.GetRequiredService<HookStatus>().SelfTestResult is not null).ShouldBe(detects);
    }
}
