using System.Net;
using Microsoft.AspNetCore.Builder;
using Microsoft.Extensions.DependencyInjection;
using static AsyncProbe.Tests.Reporting.Http.ExposedApp;

namespace AsyncProbe.Tests.Reporting.Http;

/// <summary>A page of another site, in the browser of a user who may read the report, can't read or change anything.</summary>
public sealed class ForeignOriginTests
{
    [Theory]
    [InlineData("Production")]
    [InlineData("Development")]
    public async Task Cors_ThatAllowsEverybody_ShowsTheReportToNoOtherOrigin(string environment)
    {
        await using var app = await StartAsync(
            allowLocal: true,
            environment: environment,
            configure: b => b.Services.AddCors(),
            map: a => a.UseCors(p => p.AllowAnyOrigin().AllowAnyHeader().AllowAnyMethod()));

        (await StatusAsync(app.Client, ("Origin", "http://evil.example"))).ShouldBe(HttpStatusCode.NotFound);
        (await StatusAsync(app.Client, ("Origin", app.Address.GetLeftPart(UriPartial.Authority)))).ShouldBe(HttpStatusCode.OK);
    }

    [Theory]
    [InlineData("Origin", "http://evil.example")]
    [InlineData("Origin", "null")]
    [InlineData("Sec-Fetch-Site", "cross-site")]
    [InlineData("Sec-Fetch-Site", "same-site")]
    public async Task Post_OfAnotherSitesPage_ChangesNothing(string header, string value)
    {
        await using var app = await StartAsync(
            allowLocal: true,
            map: a => a.MapGet("/plain", () => "ok"),
            configure: b => b.Configuration["AsyncProbe:AllowRemote"] = "true");
        await app.GetAsync("/plain");
        await app.EndpointAsync("GET /plain");

        using var reset = await SendAsync(app.Client, "POST", "/_threadpool/reset", (header, value));
        using var snapshot = await SendAsync(app.Client, "POST", "/_threadpool/snapshot", (header, value));

        reset.StatusCode.ShouldBe(HttpStatusCode.NotFound);
        snapshot.StatusCode.ShouldBe(HttpStatusCode.NotFound);
        (await app.ReportAsync()).EndpointNames().ShouldContain("GET /plain");
    }
}
