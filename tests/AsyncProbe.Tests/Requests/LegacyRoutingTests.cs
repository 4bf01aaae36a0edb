using System.Net;
using AsyncProbe.Tests.Blocking;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Mvc;
using Microsoft.Extensions.DependencyInjection;

namespace AsyncProbe.Tests.Requests;

/// <summary>UseMvc with EnableEndpointRouting = false: routing sets route values but no endpoint.</summary>
public sealed class LegacyRoutingTests
{
    [Fact]
    public async Task Actions_AreNamedByControllerAndAction_InWhateverCaseTheClientWritesThem()
    {
        await using var app = await StartAsync();
        foreach (var path in new[] { "/plain/show/1", "/PLAIN/Show/2", "/Plain/SHOW?x=1" })
        {
            (await app.GetAsync(path)).StatusCode.ShouldBe(HttpStatusCode.OK);
        }

        await app.GetAsync("/api/Attributed/5");
        (await app.GetAsync("/plain/nothing")).StatusCode.ShouldBe(HttpStatusCode.NotFound);

        await app.EndpointAsync("GET /Plain/Show", 3);
        await app.EndpointAsync("GET /api/Attributed/{id}");
        await app.EndpointAsync("(unmatched)");
        (await app.ReportAsync()).EndpointNames().Length.ShouldBe(3);
    }

    [Fact]
    public async Task Action_IsArmedAndNamed_InProduction()
    {
        await using var app = await StartAsync("Production");
        for (var i = 1; i <= 2; i++)
        {
            await app.GetAsync("/LegacyWait/Wait");
            await app.EndpointAsync("GET /LegacyWait/Wait", i);
        }

        (await app.SitesAsync("GET /LegacyWait/Wait")).ShouldHaveSingleItem().GetProperty("at").GetString().ShouldBe("Waiting.ForTask");
    }

    private static Task<ProbedApp> StartAsync(string environment = "Development") =>
        ProbedApp.StartAsync(
            a => a.UseMvc(routes => routes.MapRoute("default", "{controller=Plain}/{action=Show}/{id?}")),
            environment,
            b => b.Services.AddMvc(o => o.EnableEndpointRouting = false).AddApplicationPart(typeof(PlainController).Assembly));
}

public sealed class LegacyWaitController : Controller
{
    public string Wait()
    {
        Waiting.ForTask();
        return $"{Request.Path}";
    }
}
