using System.Net;
using System.Security.Claims;
using System.Text.Encodings.Web;
using AsyncProbe.Tests.Blocking;
using Microsoft.AspNetCore.Authentication;
using Microsoft.AspNetCore.Builder;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Options;

namespace AsyncProbe.Tests.Requests;

/// <summary>A request is measured from the server's first middleware on, wherever UseAsyncProbe is called.</summary>
public sealed class FirstToLastTests
{
    private const string Held = "X-AsyncProbe-Held-Ms";
    private const int Ms = 100;

    [Fact]
    public async Task Rejected_IsCountedUnderItsEndpoint()
    {
        await using var app = await StartAsync(a => a.MapGet("/secret", () => "secret").RequireAuthorization());

        for (var i = 0; i < 3; i++)
        {
            var response = await app.GetAsync("/secret");
            response.StatusCode.ShouldBe(HttpStatusCode.Unauthorized);
            response.Headers.Contains(Held).ShouldBeTrue();
        }

        (await app.EndpointAsync("GET /secret", 3)).Count("failed").ShouldBe(0);
        (await app.ReportAsync()).EndpointNames().ShouldBe(["GET /secret"]);
    }

    [Theory]
    [InlineData("Development")]
    [InlineData("Production")]
    public async Task AuthenticationHandler_IsMeasuredAndNamed_WhenItBlocks(string environment)
    {
        await using var app = await StartAsync(a => a.MapGet("/secret", () => "secret").RequireAuthorization(), environment);

        // In Production the first request shows that the endpoint blocks; the next one carries the hook.
        for (var i = 1; i <= 2; i++)
        {
            using var request = new HttpRequestMessage(HttpMethod.Get, "/secret");
            request.Headers.Add("X-Wait", "yes");
            (await app.Client.SendAsync(request)).StatusCode.ShouldBe(HttpStatusCode.OK);
            (await app.EndpointAsync("GET /secret", i)).StoodStillMs().ShouldBeGreaterThan(0.9 * Ms * i);
        }

        (await app.SitesAsync("GET /secret")).ShouldHaveSingleItem().GetProperty("at").GetString().ShouldBe("Waiting.ForTask");
    }

    [Fact]
    public async Task Segments_AreThoseOfThePipeline()
    {
        await using var app = await StartAsync(
            a => a.MapGet("/plain", (Disposed.Quick _) => "plain"), "Production", b => b.Configuration["AsyncProbe:Detection"] = "Off");

        // The first request waits until routing is built.
        await app.GetAsync("/plain");
        await app.EndpointAsync("GET /plain");
        (await app.Client.PostAsync(new Uri("/_threadpool/reset", UriKind.Relative), null)).EnsureSuccessStatusCode();
        await app.GetAsync("/plain");

        (await app.EndpointAsync("GET /plain")).GetProperty("segmentsPerRequest").GetDouble().ShouldBe(1);
    }

    private static Task<ProbedApp> StartAsync(
        Action<WebApplication> map, string environment = "Development", Action<WebApplicationBuilder>? configure = null) =>
        ProbedApp.StartAsync(map, environment, b =>
        {
            configure?.Invoke(b);
            b.Services.AddAuthentication("header").AddScheme<AuthenticationSchemeOptions, ByHeader>("header", null);
            b.Services.AddAuthorization();
            b.Services.AddScoped<Disposed.Quick>();
        });

    private sealed class ByHeader(IOptionsMonitor<AuthenticationSchemeOptions> options, ILoggerFactory logs, UrlEncoder encoder)
        : AuthenticationHandler<AuthenticationSchemeOptions>(options, logs, encoder)
    {
        protected override Task<AuthenticateResult> HandleAuthenticateAsync()
        {
            if (!Request.Headers.ContainsKey("X-Wait"))
            {
                return Task.FromResult(AuthenticateResult.NoResult());
            }

            Waiting.ForTask(Ms);
            var user = new ClaimsPrincipal(new ClaimsIdentity("header"));
            return Task.FromResult(AuthenticateResult.Success(new AuthenticationTicket(user, "header")));
        }
    }
}
