using System.Net.Http.Headers;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Hosting;
using Microsoft.AspNetCore.TestHost;
using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;

namespace AsyncProbe.Tests.Reporting.Access;

/// <summary>The line at start that gives the live page's address. The tests open every address that it names.</summary>
[SideBySide]
public sealed class PageAddressTests
{
    private const string Sentence = "The live page of AsyncProbe is at ";

    [Fact]
    public async Task Start_SaysWhereThePageIs_InDevelopment()
    {
        await using var app = await StartAsync(app => app.MapAsyncProbe());

        app.Pages.ShouldBe([$"{app.Url}/_threadpool"]);
        await ShouldOpenAsync(app.Pages);
    }

    [Fact]
    public async Task Start_SaysNoPage_OutsideDevelopment_WhileNoCallerMaySeeIt()
    {
        await using var app = await StartAsync(app => app.MapAsyncProbe(), environment: "Production");

        app.Pages.ShouldBeEmpty();
    }

    [Fact]
    public async Task Start_SaysWhereThePageIs_OutsideDevelopment()
    {
        await using var app = await StartAsync(
            app => app.MapAsyncProbe(), environment: "Production", setting: ("AsyncProbe:AllowLocal", "true"));

        app.Pages.ShouldBe([$"{app.Url}/_threadpool"]);
        await ShouldOpenAsync(app.Pages);
    }

    [Fact]
    public async Task Start_SaysThePageOfTheManagementPort_WhereOnlyThatOpensIt()
    {
        var port = FreePort.Take();
        await using var app = await StartAsync(
            app => app.MapAsyncProbe(), $"http://127.0.0.1:0;http://127.0.0.1:{port}", "Production",
            setting: ("AsyncProbe:ManagementPort", $"{port}"));

        app.Pages.ShouldBe([$"http://127.0.0.1:{port}/_threadpool"]);
        await ShouldOpenAsync(app.Pages);
        app.Lines(8).ShouldBeEmpty();
    }

    [Fact]
    public async Task Start_SaysWhichAddressToAdd_WhenNothingListensOnTheManagementPort()
    {
        var port = FreePort.Take();
        await using var app = await StartAsync(
            app => app.MapAsyncProbe(), environment: "Production", setting: ("AsyncProbe:ManagementPort", $"{port}"));

        app.Pages.ShouldBeEmpty();
        app.Lines(8).ShouldHaveSingleItem().ShouldContain($"ASPNETCORE_URLS=\"{app.Url};http://127.0.0.1:{port}\"");
    }

    [Theory]
    [InlineData("Development")]
    [InlineData("Production")]
    public async Task Start_SaysOnlyThatItIsOff_WhereItIsSwitchedOff(string environment)
    {
        await using var app = await StartAsync(
            app => app.MapAsyncProbe(), environment: environment, setting: ("AsyncProbe:Enabled", "false"));

        app.Lines(9).ShouldHaveSingleItem().ShouldContain("AsyncProbe:Enabled");
        app.Lines(4).ShouldBeEmpty();
        app.Pages.ShouldBeEmpty();
    }

    [Fact]
    public async Task Start_SaysNoPage_WhenNoneIsMapped()
    {
        await using var app = await StartAsync(_ => { });

        app.Pages.ShouldBeEmpty();
    }

    [Fact]
    public async Task Start_SaysTheGroupsPrefix_AndEachPage()
    {
        await using var app = await StartAsync(app =>
        {
            app.MapAsyncProbe();
            app.MapGroup("/ops").MapAsyncProbe("/pool/");
        });

        app.Pages.ShouldBe([$"{app.Url}/_threadpool", $"{app.Url}/ops/pool"], ignoreOrder: true);
        await ShouldOpenAsync(app.Pages);
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task Start_SaysAnAddressThatOpens_WhereAPathBaseIsUsed(bool isBeforeRouting)
    {
        await using var app = await StartAsync(app =>
        {
            app.UsePathBase("/shop");
            if (isBeforeRouting)
            {
                app.UseRouting();
            }

            app.MapAsyncProbe();
        });

        await ShouldOpenAsync(app.Pages);
    }

    [Fact]
    public async Task Start_SaysNoPage_WhereItLiesInABranch()
    {
        await using var app = await StartAsync(app =>
            app.Map("/admin", branch => branch.UseRouting().UseEndpoints(routes => routes.MapAsyncProbe())));

        app.Pages.ShouldBeEmpty();
    }

    [Fact]
    public async Task Start_SaysNoPage_WhereItsRouteHasParameters()
    {
        await using var app = await StartAsync(app => app.MapGroup("/{tenant}").MapAsyncProbe());

        app.Pages.ShouldBeEmpty();
    }

    [Theory]
    [InlineData("http://*:0")]
    [InlineData("http://0.0.0.0:0")]
    public async Task Start_SaysThisMachine_WhereTheServerListensEverywhere(string urls)
    {
        await using var app = await StartAsync(app => app.MapAsyncProbe(), urls);

        app.Pages.Single().ShouldStartWith("http://localhost:");
        await ShouldOpenAsync(app.Pages);
    }

    [Theory]
    [InlineData("DOTNET_RUNNING_IN_CONTAINER", "true", "http://*:0")]
    [InlineData("TOKEN", "of IIS", "http://127.0.0.1:0")]
    public async Task Start_SaysTheRouteAlone_WhereTheServersPortIsNotTheCallers(string setting, string value, string urls)
    {
        await using var app = await StartAsync(app => app.MapAsyncProbe(), urls, setting: (setting, value));

        app.Pages.ShouldBe(["/_threadpool"]);
    }

    [Fact]
    public async Task Start_SaysTheRouteAlone_WhereTheServerHasNoAddress()
    {
        await using var app = await StartAsync(app => app.MapAsyncProbe(), inMemory: true);

        app.Pages.ShouldBe(["/_threadpool"]);
    }

    [Fact]
    public async Task Start_SaysWhereThePageIs_WithAStartupsRouting()
    {
        LogLines log = new();
        using var host = new HostBuilder()
            .UseEnvironment("Development")
            .ConfigureLogging(logging => logging.AddProvider(log))
            .ConfigureWebHost(web => web
                .UseKestrel().UseUrls("http://127.0.0.1:0")
                .ConfigureServices(services => services.AddRouting().AddAsyncProbe())
                .Configure(app => app.UseRouting().UseAsyncProbe().UseEndpoints(routes => routes.MapAsyncProbe())))
            .Build();
        await host.StartAsync().WaitAsync(RunningApp.Timeout);

        await ShouldOpenAsync(PagesIn(log));
        await host.StopAsync().WaitAsync(RunningApp.Timeout);
    }

    private static async Task<Started> StartAsync(
        Action<WebApplication> map, string urls = "http://127.0.0.1:0", string environment = "Development", bool inMemory = false,
        (string, string)? setting = null)
    {
        LogLines log = new();
        var builder = WebApplication.CreateBuilder(new WebApplicationOptions { EnvironmentName = environment });
        builder.Configuration.Sources.Clear();
        builder.Configuration.AddInMemoryCollection();
        if (setting is var (name, value))
        {
            builder.Configuration[name] = value;
        }

        builder.Logging.ClearProviders().AddProvider(log);
        builder.WebHost.UseUrls(urls);
        if (inMemory)
        {
            builder.WebHost.UseTestServer();
        }

        builder.Services.AddAsyncProbe();
        var app = builder.Build();
        app.UseAsyncProbe();
        map(app);
        await app.StartAsync().WaitAsync(RunningApp.Timeout);
        return new Started(app, log);
    }

    private static IReadOnlyList<string> PagesIn(LogLines log) =>
        [.. log.All.Where(line => line.Id.Id == 6).SelectMany(line => line.Text[Sentence.Length..].TrimEnd('.').Split(" and "))];

    private static async Task ShouldOpenAsync(IReadOnlyList<string> pages)
    {
        pages.ShouldNotBeEmpty();
        using var browser = new HttpClient { Timeout = RunningApp.Timeout };
        browser.DefaultRequestHeaders.Accept.Add(new MediaTypeWithQualityHeaderValue("text/html"));
        foreach (var page in pages)
        {
            (await browser.GetStringAsync(new Uri(page))).ShouldContain("AsyncProbe");
        }
    }

    private sealed class Started(WebApplication app, LogLines log) : IAsyncDisposable
    {
        public IReadOnlyList<string> Pages { get; } = PagesIn(log);

        public IReadOnlyList<string> Lines(int id) => [.. log.All.Where(line => line.Id.Id == id).Select(line => line.Text)];

        public string Url => app.Urls.First();

        public async ValueTask DisposeAsync()
        {
            await app.StopAsync().WaitAsync(RunningApp.Timeout);
            await app.DisposeAsync();
        }
    }
}
