using System.Text.Json;
using AsyncProbe.Benchmarks;

namespace AsyncProbe.Tests.Reporting;

/// <summary>The report of an app with full tables.</summary>
public sealed class LargeReportTests
{
    [Fact]
    public void Stacks_AreOwnFramesAndTheirNeighbours_AndShort()
    {
        var report = Read(includesStacks: true, out var size);

        var stacks = report.GetProperty("sites").EnumerateArray().Select(s => s.GetProperty("stack")).ToList();
        stacks.Count.ShouldBe(LargeApp.Sites);
        stacks.ShouldAllBe(stack => stack.GetArrayLength() >= 2 && stack.GetArrayLength() <= 10);
        var lines = stacks[0].EnumerateArray().Select(line => line.GetString()!).ToList();
        lines.ShouldContain(line => line.StartsWith("LargeApp.Deep (LargeApp.cs:", StringComparison.Ordinal));
        lines[^1].ShouldMatch(@"^… \d+ frames$");

        Read(includesStacks: false, out var without);
        ((size - without) / LargeApp.Sites).ShouldBeLessThan(500);
    }

    [Fact]
    public void Rows_AreAllThere_WorstFirst()
    {
        var report = Read(includesStacks: false, out _);

        var rows = report.GetProperty("endpoints").EnumerateArray().ToList();
        rows.Count.ShouldBe(LargeApp.Endpoints);
        rows.Select(r => r.Ms("blockedMs")).ShouldBeInOrder(SortDirection.Descending);
        report.GetProperty("sites").EnumerateArray().Select(r => r.Ms("blockedMs")).ShouldBeInOrder(SortDirection.Descending);
        foreach (var row in rows)
        {
            var held = row.Ms("cpuMs") + row.Ms("cpuWaitMs") + row.Ms("gcMs") + row.Ms("blockedMs");
            row.Ms("heldMs").ShouldBe(held, 0.01);
            row.Ms("heldMs", "mean").ShouldBe(row.Ms("heldMs") / row.Count("requests"), 0.001);
        }
    }

    [Fact]
    public void Buffers_AreUsedAgain()
    {
        using var app = new LargeApp(includesStacks: false);
        var text = app.Text;
        var first = text.Make(null);
        text.Buffers.GiveBack(first);

        var second = text.Make("nothing like it");
        second.ShouldBeSameAs(first);
        JsonDocument.Parse(second.WrittenMemory).RootElement.EndpointNames().ShouldBeEmpty();

        // Two concurrent ones get separate buffers.
        text.Make(null).ShouldNotBeSameAs(second);
    }

    private static JsonElement Read(bool includesStacks, out int size)
    {
        using var app = new LargeApp(includesStacks);
        var json = app.Text.MakeCopy();
        size = json.Length;
        return JsonDocument.Parse(json).RootElement;
    }
}
