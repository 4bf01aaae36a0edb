using System.Net;
using System.Text.RegularExpressions;
using Microsoft.AspNetCore.Builder;

namespace AsyncProbe.Tests.Reporting.Page;

public sealed class PageFilesTests
{
    [Theory]
    [InlineData("text/html,application/xhtml+xml,*/*;q=0.8", "text/html")]
    [InlineData("application/json", "application/json")]
    [InlineData("*/*", "application/json")]
    [InlineData("application/json, text/html;q=0.5", "application/json")]
    [InlineData(null, "application/json")]
    public async Task Route_AnswersWithThePage_ForBrowsersAlone(string? accept, string expected)
    {
        await using var app = await ProbedApp.StartAsync(_ => { });

        using var response = await AskAsync(app, "/_threadpool", accept);

        response.Content.Headers.ContentType!.MediaType.ShouldBe(expected);
        response.Headers.Vary.ShouldContain("Accept");
        response.Headers.CacheControl!.NoStore.ShouldBeTrue();
    }

    [Fact]
    public async Task Page_ForbidsEverythingThatIsNotItsOwn()
    {
        await using var app = await ProbedApp.StartAsync(_ => { });

        using var response = await AskAsync(app, "/_threadpool", "text/html");

        response.Headers.GetValues("Content-Security-Policy").Single().ShouldBe(
            "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; "
            + "frame-ancestors 'none'; base-uri 'none'; form-action 'none'");
        var html = await response.Content.ReadAsStringAsync();
        html.ShouldNotContain("<style");
        html.ShouldNotContain(" style=");
        Regex.IsMatch(html, "<script(?![^>]* src=)").ShouldBeFalse();
        Regex.IsMatch(html, "https?://").ShouldBeFalse();
    }

    [Theory]
    [InlineData("/_threadpool", "", "/_threadpool")]
    [InlineData("/_threadpool", "", "/_threadpool/")]
    [InlineData("/ops/pool", "", "/ops/pool")]
    [InlineData("/_threadpool", "/shop", "/shop/_threadpool")]
    [InlineData("/{tenant}/pool", "", "/a%22%3Cb/pool")]
    [InlineData("/pool/{tenant}", "", "/pool/a%22%3Cb")]
    public async Task Links_LeadToThePagesParts_WhereverItIsMapped(string pattern, string pathBase, string address)
    {
        await using var app = await ProbedApp.StartAsync(a =>
        {
            a.UsePathBase(pathBase);
            a.UseRouting();
            if (pattern != "/_threadpool")
            {
                a.MapAsyncProbe(pattern);
            }
        });
        using var page = await AskAsync(app, address, "text/html");
        var html = await page.Content.ReadAsStringAsync();

        foreach (Match link in Regex.Matches(html, "(?:href|src)=\"([^\"]*page\\.(?:css|js))\""))
        {
            var target = new Uri(new Uri(app.Client.BaseAddress!, address), WebUtility.HtmlDecode(link.Groups[1].Value));
            using var part = await app.Client.GetAsync(target);
            part.StatusCode.ShouldBe(HttpStatusCode.OK, target.ToString());
        }

        html.ShouldNotContain("{root}");
        Regex.Count(html, "page\\.(css|js)").ShouldBe(2);
    }

    [Fact]
    public async Task Parts_AreNotServed_ToAStranger()
    {
        await using var app = await ProbedApp.StartAsync(_ => { }, "Production");
        foreach (var path in new[] { "/_threadpool", "/_threadpool/page.js", "/_threadpool/page.css" })
        {
            using var request = new HttpRequestMessage(HttpMethod.Get, path);
            request.Headers.Accept.ParseAdd("text/html");
            request.Headers.Add("X-Forwarded-For", "10.1.2.3");
            using var response = await app.Client.SendAsync(request);
            response.StatusCode.ShouldBe(HttpStatusCode.NotFound, path);
        }
    }

    [Theory]
    [InlineData(0)]
    [InlineData(2)]
    public async Task History_IsCut_WhenAskedForLess(int seconds)
    {
        await using var app = await ProbedApp.StartAsync(_ => { });

        var json = await app.Client.GetStringAsync(new Uri($"/_threadpool?history={seconds}", UriKind.Relative));

        System.Text.Json.JsonDocument.Parse(json).RootElement.GetProperty("pool").GetProperty("history").GetArrayLength()
            .ShouldBeLessThanOrEqualTo(seconds);
    }

    private static Task<HttpResponseMessage> AskAsync(ProbedApp app, string path, string? accept)
    {
        var request = new HttpRequestMessage(HttpMethod.Get, path);
        if (accept is not null)
        {
            request.Headers.Accept.ParseAdd(accept);
        }

        return app.Client.SendAsync(request);
    }
}
