using System.Net;
using Microsoft.AspNetCore.Authorization;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Routing;
using Microsoft.Extensions.DependencyInjection;
using static AsyncProbe.Tests.Reporting.Http.ExposedApp;

namespace AsyncProbe.Tests.Reporting.Access;

/// <summary>Which policies open the report outside Development: only those that require something from the caller.</summary>
public sealed class ReportAuthorizationTests
{
    [Fact]
    public async Task HostPolicy_LiftsNothing()
    {
        await using var app = await StartAsync(allowLocal: false, report: r => r.RequireHost("localhost", "127.0.0.1"));

        (await StatusAsync(app.Client)).ShouldBe(HttpStatusCode.NotFound);
    }

    [Fact]
    public async Task Authorization_AnswersWhoPassesIt()
    {
        await using var app = await StartAsync(allowLocal: false, configure: AddKeys, report: r => r.RequireAuthorization());

        (await StatusAsync(app.Client)).ShouldBe(HttpStatusCode.Unauthorized);
        (await StatusAsync(app.Client, ("X-Key", "operator"), ("X-Forwarded-For", "10.1.2.3"), ("Host", "shop.example"))).ShouldBe(
            HttpStatusCode.OK);
    }

    [Fact]
    public async Task Authorization_IsTakenBack_WhereAnonymousCallersAreAllowed()
    {
        await using var app = await StartAsync(
            allowLocal: false, configure: AddKeys, report: r => r.RequireAuthorization().AllowAnonymous());
        await using var anonymous = await StartAsync(allowLocal: false, configure: AddKeys, report: r => r.AllowAnonymous());

        (await StatusAsync(app.Client)).ShouldBe(HttpStatusCode.NotFound);
        (await StatusAsync(app.Client, ("X-Key", "operator"))).ShouldBe(HttpStatusCode.NotFound);
        (await StatusAsync(anonymous.Client)).ShouldBe(HttpStatusCode.NotFound);
    }

    [Fact]
    public async Task FallbackPolicy_LiftsNothing()
    {
        await using var app = await StartAsync(allowLocal: false, configure: b =>
        {
            AddKeys(b);
            b.Services.AddAuthorizationBuilder().SetFallbackPolicy(new AuthorizationPolicyBuilder().RequireAuthenticatedUser().Build());
        });

        (await StatusAsync(app.Client)).ShouldBe(HttpStatusCode.Unauthorized);
        (await StatusAsync(app.Client, ("X-Key", "operator"))).ShouldBe(HttpStatusCode.NotFound);
    }

    [Fact]
    public async Task FallbackPolicy_HidesNothing_InDevelopment()
    {
        static void RequireKey(WebApplicationBuilder b)
        {
            AddKeys(b);
            b.Services.AddAuthorizationBuilder().SetFallbackPolicy(new AuthorizationPolicyBuilder().RequireAuthenticatedUser().Build());
        }

        await using var app = await StartAsync(
            allowLocal: false, map: a => a.MapGet("/mine", () => "mine"), environment: "Development", configure: RequireKey);
        await using var asked = await StartAsync(
            allowLocal: false, environment: "Development", configure: RequireKey, report: r => r.RequireAuthorization());

        (await StatusAsync(app.Client)).ShouldBe(HttpStatusCode.OK);
        using var mine = await SendAsync(app.Client, "GET", "/mine");
        mine.StatusCode.ShouldBe(HttpStatusCode.Unauthorized);
        (await StatusAsync(asked.Client)).ShouldBe(HttpStatusCode.Unauthorized);
    }

    // The framework's own check is off, or ignores policies: nothing would have been required from the caller.
    [Fact]
    public async Task Authorization_DoesNotCount_WhereNothingEnforcesIt()
    {
        var policy = new AuthorizationPolicyBuilder().RequireAuthenticatedUser().Build();
        await using var unchecked_ = await StartAsync(
            allowLocal: false,
            configure: b => b.Services.Configure<RouteOptions>(o => o.SuppressCheckForUnhandledSecurityMetadata = true),
            report: r => r.WithMetadata(new AuthorizeAttribute()));
        await using var policyAlone = await StartAsync(allowLocal: false, report: r => r.WithMetadata(policy));

        (await StatusAsync(unchecked_.Client)).ShouldBe(HttpStatusCode.NotFound);
        (await StatusAsync(policyAlone.Client)).ShouldBe(HttpStatusCode.NotFound);
    }
}
