using System.Net;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Http;
using Microsoft.Extensions.DependencyInjection;

namespace AsyncProbe.Tests.Requests;

/// <summary>Every kind of request is counted under the right endpoint, with headers wherever the framework allows them.</summary>
public sealed class KindsOfRequestTests
{
    private const string Held = "X-AsyncProbe-Held-Ms";

    [Fact]
    public async Task MinimalApi_IsNamedByItsTemplate()
    {
        await using var app = await ProbedApp.StartAsync(a => a.MapGet("/things/{id:int}", (int id) => id));

        (await app.GetAsync("/things/7")).Headers.Contains(Held).ShouldBeTrue();
        (await app.GetAsync("/things/8?secret=1")).StatusCode.ShouldBe(HttpStatusCode.OK);

        (await app.EndpointAsync("GET /things/{id:int}", 2)).Count("requests").ShouldBe(2);
        (await app.ReportAsync()).ToString().ShouldNotContain("secret");
    }

    // The route that answers is the one of the changed method.
    [Fact]
    public async Task Request_IsNamedByTheMethodThatRoutingSees_WhenMiddlewareHasChangedIt()
    {
        await using var app = await ProbedApp.StartAsync(a =>
        {
            a.UseHttpMethodOverride();
            a.UseRouting();
            a.MapMethods("/thing", ["PUT", "PATCH"], () => "put");
        });
        using var request = new HttpRequestMessage(HttpMethod.Post, "/thing") { Headers = { { "X-HTTP-Method-Override", "PUT" } } };

        (await app.Client.SendAsync(request)).StatusCode.ShouldBe(HttpStatusCode.OK);

        (await app.EndpointAsync("PUT /thing")).Count("requests").ShouldBe(1);
    }

    [Fact]
    public async Task Controller_IsNamedByItsAction_UnderAConventionalRoute()
    {
        await using var app = await ProbedApp.StartAsync(
            a => a.MapControllerRoute("default", "{controller=Home}/{action=Index}/{id?}"),
            configure: b => b.Services.AddControllers().AddApplicationPart(typeof(PlainController).Assembly));

        (await app.GetAsync("/Plain/Show/3")).Headers.Contains(Held).ShouldBeTrue();

        await app.EndpointAsync("GET /Plain/Show/{id?}");
    }

    [Fact]
    public async Task Controller_IsNamedByItsTemplate_UnderAnAttributeRoute()
    {
        await using var app = await ProbedApp.StartAsync(
            a => a.MapControllers(),
            configure: b => b.Services.AddControllers().AddApplicationPart(typeof(PlainController).Assembly));

        await app.GetAsync("/api/Attributed/5");

        await app.EndpointAsync("GET /api/Attributed/{id}");
    }

    [Theory]
    [InlineData("/no-content", HttpStatusCode.NoContent)]
    [InlineData("/not-modified", HttpStatusCode.NotModified)]
    [InlineData("/nowhere", HttpStatusCode.NotFound)]
    public async Task EmptyAnswer_CarriesHeaders_ThoughTheyAreWrittenAfterTheMiddleware(string path, HttpStatusCode status)
    {
        await using var app = await ProbedApp.StartAsync(a =>
        {
            a.MapGet("/no-content", () => Results.NoContent());
            a.MapGet("/not-modified", () => Results.StatusCode(304));
        });

        var response = await app.GetAsync(path);

        response.StatusCode.ShouldBe(status);
        response.Headers.Contains(Held).ShouldBeTrue();
        response.Headers.Contains("Server-Timing").ShouldBeTrue();
    }

    [Fact]
    public async Task Head_IsCountedUnderItsOwnMethod()
    {
        await using var app = await ProbedApp.StartAsync(a => a.MapMethods("/page", ["GET", "HEAD"], () => "page"));

        using var request = new HttpRequestMessage(HttpMethod.Head, "/page");
        (await app.Client.SendAsync(request)).Headers.Contains(Held).ShouldBeTrue();

        await app.EndpointAsync("HEAD /page");
    }

    [Fact]
    public async Task UnknownMethod_IsCountedAsOther()
    {
        await using var app = await ProbedApp.StartAsync(a => a.Map("/any", () => "any"));
        foreach (var method in new[] { "BREW", "WHEN" })
        {
            using var request = new HttpRequestMessage(new HttpMethod(method), "/any");
            await app.Client.SendAsync(request);
        }

        await app.EndpointAsync("_OTHER /any", 2);
    }

    [Fact]
    public async Task Unmatched_SharesOneRow_WhateverThePath()
    {
        await using var app = await ProbedApp.StartAsync(_ => { });
        for (var i = 0; i < 5; i++)
        {
            await app.GetAsync($"/nowhere/{i}");
        }

        await app.EndpointAsync("(unmatched)", 5);
        (await app.ReportAsync()).EndpointNames().ShouldBe(["(unmatched)"]);
    }
}
