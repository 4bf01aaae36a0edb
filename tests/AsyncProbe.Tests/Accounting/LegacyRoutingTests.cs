using System.Net;
using AsyncProbe.Tests.Blocking;
using AsyncProbe.Tests.Requests;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.Mvc;
using Microsoft.AspNetCore.Mvc.ActionConstraints;
using Microsoft.Extensions.DependencyInjection;

namespace AsyncProbe.Tests.Accounting;

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

    // They had one row together, which no action's method was known for.
    [Fact]
    public async Task ActionsOfOneName_AreCountedApart_ByTemplateAndMethod()
    {
        await using var app = await StartAsync();

        (await app.Client.GetStringAsync("/overloads")).ShouldBe("all");
        (await app.Client.GetStringAsync("/overloads/7")).ShouldBe("7");
        using var posted = await app.Client.PostAsync("/overloads", content: null);
        (await posted.Content.ReadAsStringAsync()).ShouldBe("posted");

        await app.EndpointAsync("GET /overloads");
        await app.EndpointAsync("GET /overloads/{id}");
        await app.EndpointAsync("POST /overloads");
        (await app.SitesAsync("GET /overloads/{id}")).ShouldHaveSingleItem().GetProperty("at").GetString().ShouldBe("Waiting.ForTask");
    }

    // MVC prefers the action that names the method. With the other one's metadata, or none, its wait wouldn't be allowed.
    [Fact]
    public async Task ActionThatNamesTheMethod_IsPreferred()
    {
        await using var app = await StartAsync();

        using var posted = await app.Client.PostAsync("/edits", content: null);
        (await posted.Content.ReadAsStringAsync()).ShouldBe("posted");
        (await app.Client.GetStringAsync("/edits")).ShouldBe("shown");

        (await app.EndpointAsync("POST /edits")).Ms("allowedMs").ShouldBeGreaterThan(0);
        await app.EndpointAsync("GET /edits");
    }

    // Only the query tells them apart, so neither may be named.
    [Fact]
    public async Task ActionsThatFitEquallyWell_ShareARow()
    {
        await using var app = await StartAsync();

        await app.GetAsync("/queried?by=name");
        await app.GetAsync("/queried");

        await app.EndpointAsync("GET /queried", 2);
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

    // A branch once began with empty route values.
    [Fact]
    public async Task RouteValues_OfEarlierMiddleware_StayInABranch()
    {
        await using var app = await ProbedApp.StartAsync(
            a =>
            {
                a.Use((context, next) =>
                {
                    context.Request.RouteValues["tenant"] = "north";
                    return next();
                });
                a.UseWhen(_ => true, branch => branch.UseAsyncProbe());
                a.Run(context => context.Response.WriteAsync($"{context.Request.RouteValues["tenant"]}"));
            },
            configure: b => b.Services.AddMvc(o => o.EnableEndpointRouting = false),
            usesProbe: false);

        (await app.TextAsync("/")).ShouldBe("north");
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

[Route("overloads")]
public sealed class OverloadsController : Controller
{
    [HttpGet]
    public ContentResult Get() => Content("all");

    [HttpGet("{id}")]
    public ContentResult Get(int id)
    {
        Waiting.ForTask();
        return Content($"{id}");
    }

    [HttpPost, ActionName("Get")]
    public ContentResult Post() => Content("posted");
}

[Route("edits")]
public sealed class EditsController : Controller
{
    [Route("")]
    public ContentResult Edit() => Content("shown");

    [Route(""), HttpPost, ActionName("Edit"), AllowBlocking("a test")]
    public ContentResult Post()
    {
        Waiting.ForTask();
        return Content("posted");
    }
}

[Route("queried")]
public sealed class QueriedController : Controller
{
    [HttpGet, HasQuery(true)]
    public ContentResult Get(string by) => Content(by);

    [HttpGet, HasQuery(false)]
    public ContentResult Get() => Content("all");
}

[AttributeUsage(AttributeTargets.Method)]
public sealed class HasQueryAttribute(bool hasQuery) : Attribute, IActionConstraint
{
    public int Order => 0;

    public bool Accept(ActionConstraintContext context) => context.RouteContext.HttpContext.Request.Query.Count > 0 == hasQuery;
}
