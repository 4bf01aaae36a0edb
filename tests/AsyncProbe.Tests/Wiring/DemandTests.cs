using System.Net;
using System.Net.Sockets;
using AsyncProbe.Blocking.Hook;
using AsyncProbe.Pool.Diagnosis;
using AsyncProbe.Wiring;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Hosting;
using Microsoft.AspNetCore.TestHost;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;

namespace AsyncProbe.Tests.Wiring;

/// <summary>Nothing is started that wasn't asked for.</summary>
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

    [Fact]
    public async Task Host_StartsEverything_WhenItIsAnOldOne()
    {
        var port = FreePort.Take();
#pragma warning disable ASPDEPR004, ASPDEPR008 // Obsolete since .NET 10, and yet apps use it.
        using var host = new WebHostBuilder().UseKestrel().UseUrls("http://127.0.0.1:0").UseEnvironment("Development")
            .ConfigureServices(services => services.AddAsyncProbe(o => o.LifelinePort = port))
            .Configure(app => app.UseAsyncProbe())
            .Build();
#pragma warning restore ASPDEPR004, ASPDEPR008
        await host.StartAsync().WaitAsync(ProbedApp.Timeout);

        ShouldRun(host.Services, watches: true, detects: true);
        await Eventually.TrueAsync(() => Answers(port), "the lifeline does not listen");
        await host.StopAsync().WaitAsync(ProbedApp.Timeout);
    }

    // Seen in our own tests: nothing ended with such a host, and the process's watcher kept serving it forever.
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

    [Fact]
    public async Task Host_EndsWhatIsStillStarting_WhenItIsDisposedMeanwhile()
    {
        using var host = CreateHost();
        var probe = host.Services.GetServices<IHostedService>().OfType<ProbeHost>().Single();
        host.Services.GetRequiredService<ProbeDemand>().IsMeasured = true;

        // It runs its self-test on the pool in the meantime.
        var starting = probe.StartAsync(CancellationToken.None);
        probe.Dispose();
        await starting.WaitAsync(ProbedApp.Timeout);
        await probe.StartedAsync(CancellationToken.None).WaitAsync(ProbedApp.Timeout);

        host.Services.GetRequiredService<PoolMonitor>().IsWatching.ShouldBeFalse();
        host.Services.GetRequiredService<BlockingStartup>().IsWatching.ShouldBeFalse();
    }

    [Fact]
    public async Task Host_EndsWithItsDisposal_WhenItsStartWasCancelled()
    {
        using var cancelled = new CancellationTokenSource();
        var host = CreateHost(services => services.AddHostedService(_ => new Canceller(cancelled)));
        host.Services.GetRequiredService<ProbeDemand>().IsMeasured = true;
        var (pool, blocking) = (host.Services.GetRequiredService<PoolMonitor>(), host.Services.GetRequiredService<BlockingStartup>());
        await Should.ThrowAsync<OperationCanceledException>(() => host.StartAsync(cancelled.Token).WaitAsync(ProbedApp.Timeout));
        pool.IsWatching.ShouldBeTrue();

        host.Dispose();

        pool.IsWatching.ShouldBeFalse();
        blocking.IsWatching.ShouldBeFalse();
    }

    [Fact]
    public async Task Host_EndsWithItsDisposal_WhenItsServerCouldNotStart()
    {
        using var taken = new TcpListener(IPAddress.Loopback, 0);
        taken.Start();
        var builder = WebApplication.CreateSlimBuilder(new WebApplicationOptions { EnvironmentName = "Development" });
        builder.WebHost.UseUrls($"http://{taken.LocalEndpoint}");
        builder.Services.AddAsyncProbe();
        var app = builder.Build();
        app.UseAsyncProbe();
        var services = app.Services;
        var (pool, blocking) = (services.GetRequiredService<PoolMonitor>(), services.GetRequiredService<BlockingStartup>());
        await Should.ThrowAsync<IOException>(() => app.StartAsync().WaitAsync(ProbedApp.Timeout));
        pool.IsWatching.ShouldBeTrue();

        await app.DisposeAsync();

        pool.IsWatching.ShouldBeFalse();
        blocking.IsWatching.ShouldBeFalse();
    }

    [Fact]
    public async Task Application_KeepsItsPort_WhenTheLifelineWasGivenTheSame()
    {
        var port = FreePort.Take();
        await using var app = await ProbedApp.StartAsync(
            a => a.MapGet("/x", () => "x"),
            configure: b =>
            {
                b.WebHost.UseUrls($"http://127.0.0.1:{port}");
                b.Configuration["AsyncProbe:LifelinePort"] = $"{port}";
            });

        (await app.TextAsync("/x")).ShouldBe("x");
        app.Log.All.Count(l => l.Id.Id == 33).ShouldBe(1);
    }

    private static bool Answers(int port)
    {
        using var client = new TcpClient();
        try
        {
            client.Connect(IPAddress.Loopback, port);
            return true;
        }
        catch (SocketException)
        {
            return false;
        }
    }

    private static IHost CreateHost(Action<IServiceCollection>? configure = null) => new HostBuilder()
        .ConfigureWebHost(web => web.UseTestServer().ConfigureServices(s => s.AddAsyncProbe()).Configure(a => a.UseAsyncProbe()))
        .ConfigureServices(services => configure?.Invoke(services))
        .UseEnvironment("Development").Build();

    private static void ShouldRun(IServiceProvider services, bool watches, bool detects)
    {
        (services.GetRequiredService<PoolMonitor>().WatcherCpu is not null).ShouldBe(watches);
        (services.GetRequiredService<HookStatus>().SelfTestResult is not null).ShouldBe(detects);
    }

    /// <summary>Cancels the host's start when its own turn to start comes.</summary>
    private sealed class Canceller(CancellationTokenSource source) : IHostedService
    {
        public async Task StartAsync(CancellationToken cancellationToken)
        {
            await source.CancelAsync();
            cancellationToken.ThrowIfCancellationRequested();
        }

        public Task StopAsync(CancellationToken cancellationToken) => Task.CompletedTask;
    }
}
