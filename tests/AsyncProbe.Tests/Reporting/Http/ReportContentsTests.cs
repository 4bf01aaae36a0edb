using System.Text.Json;
using Microsoft.AspNetCore.Builder;

namespace AsyncProbe.Tests.Reporting.Http;

/// <summary>What the report reveals about the code, and where.</summary>
public sealed class ReportContentsTests
{
    [Theory]
    [InlineData("Development", true)]
    [InlineData("Production", false)]
    public async Task Stacks_AreShown_InDevelopmentAlone(string environment, bool areShown)
    {
        await using var app = await ProbedApp.StartAsync(
            a => a.MapGet("/block", Block), environment, b => b.Configuration["AsyncProbe:Detection"] = "Always");

        (await app.GetAsync("/block")).Dispose();

        await app.EndpointAsync("GET /block");
        var site = (await app.ReportAsync()).GetProperty("sites").EnumerateArray()
            .Single(s => s.GetProperty("at").GetString()!.StartsWith("ReportContentsTests.", StringComparison.Ordinal));
        (site.TryGetProperty("stack", out var stack) && stack.ValueKind == JsonValueKind.Array && stack.GetArrayLength() > 0).ShouldBe(
            areShown);
        (site.TryGetProperty("source", out var source) ? source.GetString() : null).ShouldBe(
            areShown ? "return never.WaitOne(20) ? \"set\" : \"blocked\";" : null);
        var file = site.GetProperty("file").GetString()!;
        file.ShouldEndWith("Reporting/Http/ReportContentsTests.cs");
        Path.IsPathRooted(file).ShouldBeFalse(file);
        Repository.Folder.ShouldNotContain(file.Split('/')[0] + "/");
    }

    // Waiting for a handle doesn't spin first, so the hook sees it even on a crowded machine.
    private static string Block()
    {
        using var never = new ManualResetEvent(initialState: false);
        return never.WaitOne(20) ? "set" : "blocked";
    }
}
