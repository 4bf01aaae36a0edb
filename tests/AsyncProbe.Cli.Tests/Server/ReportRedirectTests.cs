using AsyncProbe.Cli.Server;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Hosting;
using Microsoft.AspNetCore.Http;
using Microsoft.Extensions.Logging;

namespace AsyncProbe.Cli.Tests.Server;

/// <summary>A server that redirects to HTTPS is asked at the URL that people type, which is the HTTP one.</summary>
[SideBySide]
public class ReportRedirectTests
{
    [Theory]
    [InlineData("http://localhost:5000/_threadpool", "https://localhost:5001/_threadpool", true)]
    [InlineData("http://localhost:5000/_threadpool", "https://127.0.0.1:5001/_threadpool/", true)]
    [InlineData("http://shop.example/_threadpool", "https://SHOP.example/_threadpool", true)]
    [InlineData("http://shop.example/_threadpool", "https://evil.example/_threadpool", false)]
    [InlineData("http://shop.example/_threadpool", "http://127.0.0.1/_threadpool", false)]
    [InlineData("https://localhost:5001/_threadpool", "http://localhost:5000/_threadpool", false)]
    [InlineData("http://localhost:5000/_threadpool", "http://localhost:5000/login?ReturnUrl=%2F_threadpool", false)]
    [InlineData("http://localhost:5000/_threadpool", "file:///_threadpool", false)]
    public void Redirect_IsFollowed_ToTheSameReportOnTheSameHost(string from, string target, bool isFollowed) =>
        ReportRedirect.MayFollow(new Uri(from), new Uri(target)).ShouldBe(isFollowed);

    [Fact]
    public async Task Report_Watch_AndObserve_FollowIt()
    {
        await using var server = await TestServer.StartAsync();
        server.Report.IsThere = true;
        await using var redirecting = await StartAsync(context => server.Url + context.Request.Path + context.Request.QueryString);
        var url = redirecting.Urls.First();

        foreach (var arguments in (string[][])[["report", url], ["watch", url, "--times", "2"], ["observe", url, "-s", "1"]])
        {
            var tool = await Tool.RunAsync(arguments);

            tool.ExitCode.ShouldBe(0, tool.Messages + tool.Results);
            tool.Results.ShouldContain("queueing");
        }
    }

    [Fact]
    public async Task Redirect_ToALoginPage_IsNamed()
    {
        await using var redirecting = await StartAsync(_ => "/login?ReturnUrl=%2F_threadpool");

        var report = await Tool.RunAsync("report", redirecting.Urls.First());
        var observed = await Tool.RunAsync("observe", redirecting.Urls.First(), "-s", "1");

        report.ExitCode.ShouldBe(3);
        report.Messages.ShouldContain($" {redirecting.Urls.First()}/login?ReturnUrl=%2F_threadpool");
        observed.Results.ShouldContain("/login?ReturnUrl=");
    }

    [Fact]
    public async Task Redirect_ThatNeverEnds_Ends()
    {
        await using var redirecting = await StartAsync(_ => "/_threadpool");

        (await Tool.RunAsync("report", redirecting.Urls.First())).Messages.ShouldContain("redirects to");
    }

    private static async Task<WebApplication> StartAsync(Func<HttpContext, string> target)
    {
        var builder = WebApplication.CreateSlimBuilder();
        builder.Logging.ClearProviders();
        builder.WebHost.UseUrls("http://127.0.0.1:0");
        var app = builder.Build();
        app.Run(context =>
        {
            context.Response.Redirect(target(context), permanent: false, preserveMethod: true);
            return Task.CompletedTask;
        });
        await app.StartAsync();
        return app;
    }
}
