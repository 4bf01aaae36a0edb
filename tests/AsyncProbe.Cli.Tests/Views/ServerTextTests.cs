using AsyncProbe.Cli.Joining;
using AsyncProbe.Cli.Server;
using AsyncProbe.Cli.Views;

namespace AsyncProbe.Cli.Tests.Views;

[Trait("Category", "Logic")]
public class ServerTextTests
{
    [Theory]
    [InlineData(null, "n/a")]
    [InlineData("providerIsSynchronous", "provider is synchronous")]
    [InlineData("cpuBound", "CPU bound")]
    [InlineData("someNewVerdict", "some new verdict")]
    public void Verdict_IsInWords(string? verdict, string words) => ServerText.Verdict(verdict).ShouldBe(words);

    [Theory]
    [InlineData("a|b*c_d`e", @"a\|b\*c\_d\`e")]
    [InlineData("<img src=x>", "&lt;img src=x&gt;")]
    [InlineData("[x](http://y) ![z]", @"\[x\](http:\/\/y) \!\[z\]")]
    [InlineData("@team #12 ~~no~~ &amp;", @"&#64;team \#12 \~\~no\~\~ &amp;amp;")]
    [InlineData("line\n# heading", @"line \# heading")]
    public void Markdown_IsEscaped(string text, string escaped) => MarkdownText.Escape(text).ShouldBe(escaped);

    [Theory]
    [InlineData(nameof(ServerStatus.NotThere), "answers 404")]
    [InlineData(nameof(ServerStatus.NotThere), "AllowLocal")]
    [InlineData(nameof(ServerStatus.NotThere), "ManagementPort")]
    [InlineData(nameof(ServerStatus.NotThere), "--probe URL")]
    [InlineData(nameof(ServerStatus.NoAnswer), "did not answer in time")]
    [InlineData(nameof(ServerStatus.NoAnswer), "asyncprobe report URL --lifeline PORT")]
    [InlineData(nameof(ServerStatus.Unreachable), "nothing listens")]
    [InlineData(nameof(ServerStatus.Reset), "closed the connection")]
    [InlineData(nameof(ServerStatus.Unreadable), "not an AsyncProbe report")]
    public void Absence_SaysWhatIsTheMatter(string status, string words) =>
        ServerText.Absence(ServerSide.Without(Enum.Parse<ServerStatus>(status), "http://x/_threadpool")).ShouldContain(words);

    [Fact]
    public void WaitForTheFirstReport_IsALine_ThatSaysHowLongItMayTake()
    {
        using var text = new StringWriter();
        using var progress = new PlainProgress(text);

        progress.WaitForReport(new Uri("http://x/_threadpool"), TimeSpan.FromSeconds(7.5));

        text.ToString().ShouldContain("http://x/_threadpool has not answered");
        text.ToString().ShouldContain("waiting up to 7.5 s (--timeout)");
    }
}
