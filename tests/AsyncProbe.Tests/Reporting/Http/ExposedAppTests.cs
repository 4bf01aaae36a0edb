using System.Net;
using AsyncProbe.Tests.Blocking;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Hosting;
using Microsoft.AspNetCore.Mvc.ApiExplorer;
using Microsoft.AspNetCore.TestHost;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;
using static AsyncProbe.Tests.Reporting.Http.ExposedApp;

namespace AsyncProbe.Tests.Reporting.Http;

/// <summary>Which callers are answered outside Development, and what the others get.</summary>
public sealed class ExposedAppTests
{
    private static readonly string[] s_routes = ["", "/page.js", "/page.css", "/reset", "/snapshot"];

    [Fact]
    public async Task Production_AnswersNobody_UntilTheAppSaysWhom()
    {
        await using var app = await StartAsync(allowLocal: false);

        foreach (var route in s_routes)
        {
            foreach (var method in new[] { "GET", "HEAD", "POST", "PUT", "OPTIONS", "DELETE", "PATCH", "ODD" })
            {
                using var response = await SendAsync(app.Client, method, "/_threadpool" + route);
                response.StatusCode.ShouldBe(HttpStatusCode.NotFound, $"{method} {route}");
                (await response.Content.ReadAsStringAsync()).ShouldBeEmpty();
            }
        }
    }

    [Theory]
    [InlineData("Production")]
    [InlineData("Development")]
    public async Task Report_IsNotThere_UnlessItIsMapped(string environment)
    {
        await using var app = await StartInMemoryAsync(allowLocal: true, isMapped: false, environment);

        foreach (var route in s_routes)
        {
            using var response = await SendAsync(app.GetTestClient(), "GET", "/_threadpool" + route);
            response.StatusCode.ShouldBe(HttpStatusCode.NotFound);
        }
    }

    [Fact]
    public async Task Headers_NameNothing_OutsideDevelopment()
    {
        await using var app = await StartAsync(
            allowLocal: true,
            map: a => a.MapGet("/block", () => Waiting.TaskToWaitFor().Wait()),
            configure: b =>
            {
                b.Configuration["AsyncProbe:EmitHeaders"] = "true";
                b.Configuration["AsyncProbe:Detection"] = "Always";
            });

        using var response = await app.GetAsync("/block");

        response.Number("X-AsyncProbe-Blocked-Ms").ShouldBeGreaterThan(10);
        response.Headers.Where(h => h.Key.StartsWith("X-", StringComparison.Ordinal))
            .SelectMany(h => h.Value).ShouldAllBe(v => v.All(c => char.IsAsciiDigit(c) || c == '.'));
    }

    [Fact]
    public async Task ManagementPort_AnswersThereAlone()
    {
        var port = FreePort.Take();
        await using var app = await StartAsync(allowLocal: false, configure: b =>
        {
            b.Configuration["AsyncProbe:ManagementPort"] = $"{port}";
            b.WebHost.UseUrls("http://127.0.0.1:0", $"http://127.0.0.1:{port}");
        });
        var other = app.Address.Port == port ? throw new InvalidOperationException("the first address comes first") : app.Client;
        using var management = new HttpClient { BaseAddress = new Uri($"http://127.0.0.1:{port}"), Timeout = ProbedApp.Timeout };

        (await StatusAsync(management)).ShouldBe(HttpStatusCode.OK);
        (await StatusAsync(other)).ShouldBe(HttpStatusCode.NotFound);
        (await StatusAsync(other, ("Host", $"127.0.0.1:{port}"))).ShouldBe(HttpStatusCode.NotFound);
        (await StatusAsync(other, ("X-Forwarded-Port", $"{port}"))).ShouldBe(HttpStatusCode.NotFound);
    }

    [Fact]
    public async Task Start_SaysOnceThatNobodyIsAnswered_AndHowToChangeThat()
    {
        await using var app = await StartAsync(allowLocal: false);

        var line = app.Log.All.Single(l => l.Id.Id == 4);
        line.Level.ShouldBe(LogLevel.Information);
        line.Text.ShouldContain("/_threadpool");
        foreach (var way
            in new[] { "RequireAuthorization()", "AsyncProbe:ManagementPort", "AsyncProbe:AllowLocal", "AsyncProbe:AllowRemote" })
        {
            line.Text.ShouldContain(way);
        }
    }

    [Fact]
    public async Task ForeignName_GetsNothingInDevelopment_AndTheLogSaysOnceWhy()
    {
        await using var app = await StartAsync(allowLocal: false, environment: "Development");

        for (var i = 0; i < 2; i++)
        {
            foreach (var path in new[] { "/_threadpool", "/_threadpool/metrics", "/_threadpool/profile", "/_threadpool/help" })
            {
                using var response = await SendAsync(app.Client, "GET", path, ("Host", $"evil.example:{app.Address.Port}"));
                response.StatusCode.ShouldBe(HttpStatusCode.NotFound);
            }

            using var reset = await SendAsync(
                app.Client, "POST", "/_threadpool/reset", ("Host", "evil.example"), ("Origin", "http://evil.example"));
            reset.StatusCode.ShouldBe(HttpStatusCode.NotFound);
        }

        (await StatusAsync(app.Client)).ShouldBe(HttpStatusCode.OK);
        app.Log.All.Single(l => l.Id.Id == 7).Text.ShouldContain("AsyncProbe:AllowRemote");
    }

    [Theory]
    [InlineData("Development", "AllowLocal", "false", false)]
    [InlineData("Production", "AllowLocal", "true", false)]
    [InlineData("Production", "AllowRemote", "true", false)]
    [InlineData("Production", "ManagementPort", "9000", false)]
    [InlineData("Production", "Enabled", "false", false)]
    [InlineData("Production", "AllowLocal", "false", true)]
    public async Task Start_SaysNothing_WhereSomebodyIsAnswered(string environment, string option, string value, bool isAuthorized)
    {
        await using var app = await StartAsync(
            allowLocal: false,
            environment: environment,
            configure: b =>
            {
                b.Configuration[$"AsyncProbe:{option}"] = value;
                AddKeys(b);
            },
            report: r => _ = isAuthorized ? r.RequireAuthorization() : r);

        app.Log.All.ShouldNotContain(l => l.Id.Id == 4);
    }

    [Fact]
    public async Task ApiDescriptions_DoNotShowTheReport()
    {
        await using var app = await StartAsync(
            allowLocal: true, map: a => a.MapGet("/plain", () => "ok"), configure: b => b.Services.AddEndpointsApiExplorer());

        var paths = app.Services.GetRequiredService<IApiDescriptionGroupCollectionProvider>().ApiDescriptionGroups.Items
            .SelectMany(g => g.Items).Select(i => i.RelativePath).ToList();

        paths.ShouldBe(["plain"]);
    }
}
