using System.Net;
using System.Security.Claims;
using System.Text.Encodings.Web;
using Microsoft.AspNetCore.Authentication;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.HttpOverrides;
using Microsoft.AspNetCore.TestHost;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Options;

namespace AsyncProbe.Tests.Reporting.Http;

/// <summary>An app as it is outside Development, and callers of its report.</summary>
internal static class ExposedApp
{
    public static Task<ProbedApp> StartAsync(
        bool allowLocal,
        Action<WebApplication>? map = null,
        string environment = "Production",
        Action<WebApplicationBuilder>? configure = null,
        Action<IEndpointConventionBuilder>? report = null) =>
        ProbedApp.StartAsync(
            map ?? (_ => { }),
            environment,
            b =>
            {
                b.Configuration["AsyncProbe:AllowLocal"] = $"{allowLocal}";
                configure?.Invoke(b);
            },
            report: report);

    public static async Task<WebApplication> StartInMemoryAsync(bool allowLocal, bool isMapped = true, string environment = "Production")
    {
        var builder = WebApplication.CreateSlimBuilder(new WebApplicationOptions { EnvironmentName = environment });
        builder.WebHost.UseTestServer();
        builder.Logging.ClearProviders();
        builder.Services.AddAsyncProbe(o => o.AllowLocal = allowLocal);
        var app = builder.Build();
        app.UseAsyncProbe();
        if (isMapped)
        {
            app.MapAsyncProbe();
        }

        await app.StartAsync().WaitAsync(ProbedApp.Timeout);
        return app;
    }

    /// <param name="originalForHeader">The header in which the middleware keeps the address that it replaced; null for the default.</param>
    public static ForwardedHeadersOptions TrustEverybody(string? originalForHeader)
    {
        var options = new ForwardedHeadersOptions { ForwardedHeaders = ForwardedHeaders.XForwardedFor };
        options.OriginalForHeaderName = originalForHeader ?? options.OriginalForHeaderName;
        options.KnownIPNetworks.Clear();
        options.KnownProxies.Clear();
        return options;
    }

    public static async Task<HttpStatusCode> StatusAsync(HttpClient client, params (string Name, string Value)[] headers)
    {
        using var response = await SendAsync(client, "GET", "/_threadpool", headers);
        return response.StatusCode;
    }

    public static async Task<HttpResponseMessage> SendAsync(
        HttpClient client, string method, string path, params (string Name, string Value)[] headers)
    {
        using var request = new HttpRequestMessage(new HttpMethod(method), path);
        foreach (var (name, value) in headers)
        {
            request.Headers.TryAddWithoutValidation(name, value).ShouldBeTrue();
        }

        return await client.SendAsync(request).WaitAsync(ProbedApp.Timeout);
    }

    public static void AddKeys(WebApplicationBuilder builder)
    {
        builder.Services.AddAuthentication("key").AddScheme<AuthenticationSchemeOptions, KeyHandler>("key", null);
        builder.Services.AddAuthorization();
    }

    private sealed class KeyHandler(IOptionsMonitor<AuthenticationSchemeOptions> options, ILoggerFactory logger, UrlEncoder encoder)
        : AuthenticationHandler<AuthenticationSchemeOptions>(options, logger, encoder)
    {
        protected override Task<AuthenticateResult> HandleAuthenticateAsync() =>
            Task.FromResult(Request.Headers["X-Key"] == "operator"
                ? AuthenticateResult.Success(new AuthenticationTicket(new ClaimsPrincipal(new ClaimsIdentity("key")), "key"))
                : AuthenticateResult.NoResult());
    }
}
