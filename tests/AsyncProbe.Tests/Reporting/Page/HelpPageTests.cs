using System.Net;
using System.Text.RegularExpressions;
using AsyncProbe.Blocking.Kinds;
using AsyncProbe.Reporting.Page;
using AsyncProbe.Rules;
using AsyncProbe.Tests.Blocking;
using Microsoft.AspNetCore.Builder;

namespace AsyncProbe.Tests.Reporting.Page;

/// <summary>docs/blocking.md as users see it who have only the package.</summary>
public sealed partial class HelpPageTests
{
    [Fact]
    public async Task Help_HasASection_ForEveryKindAndEveryAdvice()
    {
        await using var app = await ProbedApp.StartAsync(_ => { });

        var html = await app.TextAsync("/_threadpool/help");

        var sections = Sections().Matches(html).Select(m => m.Groups[1].Value).ToList();
        sections.ShouldBeUnique();
        foreach (var kind in Enum.GetValues<WaitKind>().Where(k => k != WaitKind.Other))
        {
            sections.ShouldContain(kind.Help()!, $"the help for {kind.Name()} would lead nowhere");
        }

        sections.ShouldContain(HelpSections.Unnamed);
        sections.ShouldContain(HelpSections.Provider);
        sections.ShouldContain("task-wait", "its address is written in the documentation");
    }

    [Fact]
    public async Task Help_LinksOnlyToItsOwnSections_AndToWhatIsServed()
    {
        await using var app = await ProbedApp.StartAsync(_ => { });
        foreach (var address in new[] { "/_threadpool/help", "/_threadpool/help/" })
        {
            var html = await app.TextAsync(address);

            var sections = Sections().Matches(html).Select(m => "#" + m.Groups[1].Value).ToList();
            var links = Links().Matches(html).Select(m => m.Groups[1].Value).Where(l => l != "data:,").ToList();
            links.Where(l => l.StartsWith('#')).ShouldNotBeEmpty();
            links.Where(l => l.StartsWith('#')).ShouldBeSubsetOf(sections);
            foreach (var link in links.Where(l => !l.StartsWith('#')))
            {
                using var target = await app.Client.GetAsync(new Uri(new Uri(app.Client.BaseAddress!, address), link));
                target.StatusCode.ShouldBe(HttpStatusCode.OK, $"{link} of {address}");
            }
        }
    }

    [Fact]
    public async Task Help_IsAsClosedAsTheReport()
    {
        await using var stranger = await ProbedApp.StartAsync(_ => { }, "Production");
        await using var friend = await ProbedApp.StartAsync(
            _ => { }, "Production", b => b.Configuration["AsyncProbe:AllowRemote"] = "true");

        using var request = new HttpRequestMessage(HttpMethod.Get, "/_threadpool/help");
        request.Headers.Add("X-Forwarded-For", "10.1.2.3");
        using var refused = await stranger.Client.SendAsync(request);
        using var shown = await friend.Client.GetAsync(new Uri("/_threadpool/help", UriKind.Relative));

        refused.StatusCode.ShouldBe(HttpStatusCode.NotFound);
        shown.StatusCode.ShouldBe(HttpStatusCode.OK);
        shown.Content.Headers.ContentType!.MediaType.ShouldBe("text/html");
        shown.Headers.GetValues("Content-Security-Policy").Single().ShouldStartWith("default-src 'none'");
    }

    [Fact]
    public async Task Report_NamesTheSection_ThatExplainsTheSite()
    {
        await using var app = await ProbedApp.StartAsync(a => a.MapGet("/blocking", () => Waiting.ForTask()));

        await app.GetManyAsync("/blocking", 12);
        var row = await app.EndpointAsync("GET /blocking", 12);

        row.GetProperty("help").GetString().ShouldBe("task-wait");
        (await app.SitesAsync()).ShouldHaveSingleItem().GetProperty("help").GetString().ShouldBe("task-wait");
    }

    [Theory]
    [InlineData(null)]
    [InlineData("")]
    [InlineData(" ")]
    public void Footer_IsEmpty_WithoutAnAddress(string? repositoryUrl) => HelpPage.Footer(repositoryUrl).ShouldBeEmpty();

    [Fact]
    public void Footer_LinksToTheRepository_OnceThereIsOne() =>
        HelpPage.Footer("https://example.org/x?a&b").ShouldContain("<a href=\"https://example.org/x?a&amp;b\">");

    [Fact]
    public void Markdown_BecomesHtml_WithoutLettingMarkupIn()
    {
        const string Text = """
            ## Task.WaitAll/Any

            A `List<int>` & *one* [Task.Wait](#taskwait), see [more](else.md).
            **Instead:** await

            - one
              and a half
            - two

            | a | b |
            |---|---|
            | `x` | <y> |
            """;

        Markdown.ToHtml(Text).ReplaceLineEndings("").ShouldBe(
            "<h2 id=\"task-waitall-any\">Task.WaitAll/Any</h2>"
            + "<p>A <code>List&lt;int&gt;</code> &amp; <em>one</em> <a href=\"#task-wait\">Task.Wait</a>, see more.</p>"
            + "<p><b>Instead:</b> await</p>"
            + "<ul><li>one and a half</li><li>two</li></ul>"
            + "<table class=\"rows\"><thead><tr><th>a</th><th>b</th></tr></thead><tbody><tr><td><code>x</code></td><td>&lt;y&gt;</td></tr></tbody></table>");
    }

    [GeneratedRegex("<h2 id=\"([^\"]*)\">")]
    private static partial Regex Sections();

    [GeneratedRegex("href=\"([^\"]*)\"")]
    private static partial Regex Links();
}
