using System.Text.Json;
using AsyncProbe.StackSnapshots.Tests;
using Microsoft.AspNetCore.Builder;

namespace AsyncProbe.Runtimes;

/// <summary>The add-on: the runtime's own sampler names the waits that no hook sees.</summary>
public sealed class SnapshotTests
{
    private const int Times = 3;

    [Fact]
    public async Task Snapshot_NamesTheLineThatSleeps_EachTime()
    {
        using var end = new ManualResetEventSlim();
        await using var app = await SnapshotApp.StartAsync(a => a.MapGet("/held", () => Sleeper.UntilSet(end)));
        var held = app.GetAsync("/held");

        List<JsonElement> found = [];
        try
        {
            for (var i = 0; i < Times; i++)
            {
                found.Add(await app.Client.FindAsync("GET /held"));
            }
        }
        finally
        {
            end.Set();
            (await held).Dispose();
        }

        found.Count.ShouldBe(Times);
        found.Select(site => (
            site.GetProperty("kind").GetString(), site.GetProperty("at").GetString(), site.GetProperty("line").GetInt32())).Distinct()
            .ShouldHaveSingleItem().ShouldBe(("Sleep", "Sleeper.UntilSet", Sleeper.Line));
    }
}
