using AsyncProbe.Cli.Joining;
using AsyncProbe.Cli.Server;
using AsyncProbe.Cli.Sites;
using AsyncProbe.Cli.Tests.Sites;
using AsyncProbe.Cli.Views;

namespace AsyncProbe.Cli.Tests.Views;

[Trait("Category", "Logic")]
public class GithubAnnotationsTests
{
    [Fact]
    public void Annotation_IsAWorkflowCommandAtTheLine() => Annotate(Known.Site()).ShouldStartWith(
        "::warning file=src/Data/Orders.cs,line=42,title=Orders.Load blocks (Task.Wait)::GET /orders ");

    [Fact]
    public void Annotation_IsEscaped_SoThatNoTextEndsItOrBeginsAnother()
    {
        var line = Annotate(Known.Site("A,b:c%d", endpoints: ["GET /50%\n::error::owned\r"], file: "Or:d,er%s.cs"));

        line.ShouldStartWith("::warning file=src/Or%3Ad%2Cer%25s.cs,line=42,title=A%2Cb%3Ac%25d blocks (Task.Wait)::GET /50%25");
        line.ShouldNotContain('\n');
        line.ShouldNotContain('\r');
        line.LastIndexOf("::error::", StringComparison.Ordinal).ShouldBeGreaterThan(10);
    }

    [Fact]
    public void Annotation_IsANotice_WhenTheBaselineHasIt()
    {
        var site = Known.Site();

        Annotate(site, isNew: true).ShouldStartWith("::warning file=src/Data/Orders.cs,line=42,title=New%3A Orders.Load blocks");
        Annotate(site, isNew: false).ShouldStartWith("::notice file=src/Data/Orders.cs,line=42,title=Orders.Load blocks");
    }

    private static string Annotate(KnownSite site, bool? isNew = null)
    {
        var server = ServerSide.Without(
            ServerStatus.Joined, null) with { KnownSites = [site], NewSites = isNew is null ? null : isNew.Value ? [site] : [] };
        return GithubAnnotations.Create(Findings.From([server], path => "src/" + path)).Single();
    }
}
