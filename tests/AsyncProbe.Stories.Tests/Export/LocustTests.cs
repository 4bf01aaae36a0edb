using System.Globalization;
using AsyncProbe.Stories.Tests.Import;

namespace AsyncProbe.Stories.Tests.Export;

/// <summary>Compares what an exported file sends from the command and from a real Locust.</summary>
[SideBySide]
public sealed class LocustTests
{
    [Fact]
    public async Task File_SendsTheSameInTheSameOrder_AsTheCommand()
    {
        if (!LocustProgram.IsInstalled())
        {
            return;
        }

        await using var server = await EchoServer.StartAsync();
        var session = await ExportedSession.WriteAsync(server, "traps", "locust");
        var expected = await session.RunOnceAsync();
        var file = await session.ExportAsync("py");

        await LocustProgram.RunAsync(file, requests: 20);

        var sent = server.Drain();
        expected.Count.ShouldBe(9);
        sent.Count.ShouldBeGreaterThanOrEqualTo(expected.Count);
        sent.ShouldBe(Enumerable.Range(0, sent.Count).Select(i => expected[i % expected.Count]));
    }

    [Fact]
    [Trait("Category", "Full")]
    public async Task Users_HaveCookiesAndTokensOfTheirOwn_InEveryPass()
    {
        if (!LocustProgram.IsInstalled())
        {
            return;
        }

        await using var server = await EchoServer.StartAsync();
        var session = await ExportedSession.WriteAsync(server, "flow", "locust");
        var expected = await session.RunOnceAsync();
        var file = await session.ExportAsync("py", "-t", "2");

        await LocustProgram.RunAsync(file, requests: 40);

        Flow.ShouldKeepValuesApart(server.Drain(), expected, users: 2).ShouldBeGreaterThan(6);
    }

    [Fact]
    [Trait("Category", "Full")]
    public async Task Workers_CountTogether_WhatArrived()
    {
        if (!LocustProgram.IsInstalled())
        {
            return;
        }

        await using var server = await EchoServer.StartAsync();
        var session = await ExportedSession.WriteAsync(server, "traps", "locust");
        var expected = await session.RunOnceAsync();
        var file = await session.ExportAsync("py", "-t", "4");
        var port = FreePort.Take().ToString(CultureInfo.InvariantCulture);
        var figures = Path.ChangeExtension(file, "figures");

        await Task.WhenAll(
            LocustProgram.RunAsync(
                file, requests: 100, "--master", "--master-bind-port", port, "--expect-workers", "2", "--csv", figures),
            LocustProgram.RunWorkerAsync(file, port),
            LocustProgram.RunWorkerAsync(file, port));

        var sent = server.Drain();
        var total = (await File.ReadAllLinesAsync(figures + "_stats.csv"))[^1].Split(',');
        total[1].ShouldBe("Aggregated");
        total[2].ShouldBe(sent.Count.ToString(CultureInfo.InvariantCulture));
        total[3].ShouldBe("0");
        // Each of the four users goes through the list in order, so no request is ahead of another by more than four.
        var counts = expected.Select(request => sent.Count(one => one == request)).ToList();
        counts.Sum().ShouldBe(sent.Count);
        counts.Min().ShouldBeGreaterThan(0);
        (counts.Max() - counts.Min()).ShouldBeLessThanOrEqualTo(4);
    }
}
