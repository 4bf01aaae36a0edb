using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Http;

namespace AsyncProbe.Tests.Requests;

/// <summary>Everything after UseAsyncProbe is measured: the application, a branch of it, or nothing.</summary>
public sealed class UseAsyncProbeTests
{
    private const string Held = "X-AsyncProbe-Held-Ms";

    [Fact]
    public async Task OwnRoutes_AreNeitherCountedNorMarked()
    {
        await using var app = await ProbedApp.StartAsync(a =>
        {
            a.UseRouting();
            a.MapGet("/x", () => "x");
        });

        (await app.GetAsync("/_threadpool")).Headers.Contains(Held).ShouldBeFalse();
        await app.GetAsync("/x");
        await app.EndpointAsync("GET /x");

        var report = await app.ReportAsync();
        report.EndpointNames().ShouldBe(["GET /x"]);
        report.ToString().ShouldNotContain("(ignored)");
    }

    [Fact]
    public async Task Branch_IsMeasuredAlone()
    {
        await using var app = await ProbedApp.StartAsync(
            a =>
            {
                a.Map("/branch", branch => branch.UseAsyncProbe().Run(context => context.Response.WriteAsync("branch")));
                a.MapGet("/x", () => "x");
            },
            usesProbe: false);

        (await app.GetAsync("/x")).Headers.Contains(Held).ShouldBeFalse();
        (await app.GetAsync("/branch")).Headers.Contains(Held).ShouldBeTrue();

        (await app.EndpointAsync("(unmatched)")).Count("requests").ShouldBe(1);
        (await app.ReportAsync()).EndpointNames().ShouldBe(["(unmatched)"]);
    }

    [Fact]
    public async Task BranchAndPipeline_CountOnce()
    {
        await using var app = await ProbedApp.StartAsync(
            a =>
            {
                a.Map("/branch", branch => branch.UseAsyncProbe().Run(context => context.Response.WriteAsync("branch")));
                a.UseAsyncProbe();
            },
            usesProbe: false);

        await app.GetAsync("/branch");
        await app.GetAsync("/branch");

        (await app.EndpointAsync("(unmatched)", 2)).Count("requests").ShouldBe(2);
    }

    [Fact]
    public async Task WithoutUse_NothingIsInstalled()
    {
        await using var app = await ProbedApp.StartAsync(
            a => a.MapGet("/x", (HttpContext context) => context.Features.Get<IAsyncProbeFeature>() is null), usesProbe: false);

        (await app.TextAsync("/x")).ShouldBe("true");
        (await app.ReportAsync()).EndpointNames().ShouldBeEmpty();
    }
}
