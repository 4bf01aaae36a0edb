using System.Text.Json.Nodes;
using AsyncProbe.Cli.Sessions;

namespace AsyncProbe.Cli.Tests.Sessions;

public class UrlBuilderTests
{
    [Theory]
    [InlineData("/a", "http://one/", null, "http://one/a")]
    [InlineData("a?x=1", "http://one", null, "http://one/a?x=1")]
    [InlineData("http://two:81/a?x=1", "http://one", null, "http://two:81/a?x=1")]
    [InlineData("http://two:81/a?x=1", null, "http://127.0.0.1:5", "http://127.0.0.1:5/a?x=1")]
    [InlineData("/a", null, "http://127.0.0.1:5/base/", "http://127.0.0.1:5/base/a")]
    [InlineData("/{{page}}", "http://{{host}}", null, "http://one/index")]
    public void Url_IsMadeOfBaseAndPath_AsTheOptionsSay(string url, string? site, string? typed, string expected)
    {
        var options = new SessionOptions(new JsonObject { ["SiteBaseUrl"] = site });
        var variables = new SessionVariables([new("@host", "one"), new("page", "index")], []);

        UrlBuilder.Build(url, options, typed, variables).Url!.AbsoluteUri.ShouldBe(expected);
    }

    [Fact]
    public void Url_GetsItsQueryKeysReplacedAndAdded_WhenTheOptionsSaySo()
    {
        var options = new SessionOptions(new JsonObject { ["ReplaceQueryStringValuePairs"] = "b=9&c=3", ["ReplaceDomain"] = "other:8080" });

        UrlBuilder.Build("http://one/x?a=1&b=2", options, null, new([], [])).Url!.AbsoluteUri.ShouldBe("http://other:8080/x?a=1&b=9&c=3");
    }
}
