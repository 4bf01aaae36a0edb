using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Hosting;
using Microsoft.AspNetCore.TestHost;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;

namespace AsyncProbe.Tests.Requests;

/// <summary>Each host of a process counts its own requests.</summary>
public sealed class TwoHostsTests
{
    [Fact]
    public async Task SelfCall_ThroughAnInMemoryServer_IsCountedForBothHosts()
    {
        using var inner = await new HostBuilder().ConfigureWebHost(web => web.UseTestServer()
            .ConfigureServices(s => s.AddRouting().AddAsyncProbe())
            .Configure(a => a.UseAsyncProbe().UseRouting().UseEndpoints(e =>
            {
                e.MapGet("/inner", () => Thread.Sleep(400));
                e.MapAsyncProbe();
            }))).UseEnvironment("Development").StartAsync();
        using var innerClient = inner.GetTestClient();
        await using var app = await ProbedApp.StartAsync(a => a.MapGet("/outer", async () =>
        {
            await innerClient.GetAsync(new Uri("/inner", UriKind.Relative));
            Thread.Sleep(40);
        }));

        await app.GetAsync("/outer");

        (await app.EndpointAsync("GET /outer")).StoodStillMs().ShouldBeInRange(38, 300, "the inner request's 400 ms are its own");
        (await app.ReportAsync()).EndpointNames().ShouldBe(["GET /outer"]);
        (await innerClient.GetStringAsync(new Uri("/_threadpool", UriKind.Relative))).ShouldContain("GET /inner");
        await inner.StopAsync();
    }

    [Fact]
    public async Task TwoHosts_KeepTheirOwnTables()
    {
        await using var first = await ProbedApp.StartAsync(a => a.MapGet("/first", () => "1"));
        await using var second = await ProbedApp.StartAsync(a => a.MapGet("/second", () => "2"));

        await first.GetAsync("/first");
        await second.GetAsync("/second");

        await first.EndpointAsync("GET /first");
        await second.EndpointAsync("GET /second");
        (await first.ReportAsync()).EndpointNames().ShouldBe(["GET /first"]);
        (await second.ReportAsync()).EndpointNames().ShouldBe(["GET /second"]);
    }
}
