using AsyncProbe.Stories.Tests.Import;

namespace AsyncProbe.Stories.Tests.Export;

/// <summary>Compares what an exported plan sends from the command and from a real JMeter.</summary>
[SideBySide]
public sealed class JMeterTests
{
    [Fact]
    public async Task Plan_SendsTheSame_AsTheCommand()
    {
        if (!JMeterProgram.IsInstalled())
        {
            return;
        }

        await using var server = await EchoServer.StartAsync();
        var session = await ExportedSession.WriteAsync(server, "traps", "jmeter");
        var expected = await session.RunOnceAsync();
        var plan = await session.ExportAsync("jmx");

        await JMeterProgram.RunAsync(plan, "-Jloops=1", "-Jseconds=100");

        expected.Count.ShouldBe(9);
        // As the comment in the plan says.
        (await File.ReadAllTextAsync(plan)).ShouldContain("has no body: JMeter 2.13 gives it a content type all the same");
        expected[3] = expected[3].Replace(" | x-a", " | content-type: text/plain; charset=UTF-8 | x-a", StringComparison.Ordinal);
        server.Drain().ShouldBe(expected);
    }

    [Fact]
    [Trait("Category", "Full")]
    public async Task Users_HaveCookiesAndTokensOfTheirOwn_InEveryPass()
    {
        if (!JMeterProgram.IsInstalled())
        {
            return;
        }

        await using var server = await EchoServer.StartAsync();
        var session = await ExportedSession.WriteAsync(server, "flow", "jmeter");
        var expected = await session.RunOnceAsync();
        var plan = await session.ExportAsync("jmx");

        await JMeterProgram.RunAsync(plan, "-Jloops=3", "-Jthreads=2", "-Jseconds=100");

        var sent = server.Drain();
        sent.Count.ShouldBe(6 * expected.Count);
        Flow.ShouldKeepValuesApart(sent, expected, users: 0).ShouldBe(6);
    }
}
