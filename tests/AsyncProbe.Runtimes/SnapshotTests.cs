using AsyncProbe.StackSnapshots.Tests;
using Microsoft.AspNetCore.Builder;

namespace AsyncProbe.Runtimes;

/// <summary>The add-on: the runtime's own sampler names what no hook sees.</summary>
public sealed class SnapshotTests
{
    [Fact]
    public async Task Snapshot_NamesTheLineThatSleeps()
    {
        using var end = new ManualResetEventSlim();
        await using var app = await SnapshotApp.StartAsync(a => a.MapGet("/held", () => Sleeper.UntilSet(end)));
        var held = app.GetAsync("/held");

        System.Text.Json.JsonElement found;
        try
        {
            found = await app.Client.FindAsync("GET /held");
        }
        finally
        {
            end.Set();
            (await held).Dispose();
        }

        found.GetProperty("kind").GetString().ShouldBe("Sleep");
        found.GetProperty("at").GetString().ShouldBe("Sleeper.UntilSet");
        found.GetProperty("line").GetInt32().ShouldBe(Sleeper.Line);
    }
}
