using System.Net;
using AsyncProbe.Blocking.Stacks;
using Microsoft.Extensions.DependencyInjection;

namespace AsyncProbe.StackSnapshots.Tests;

/// <summary>A program whose stacks name no methods, as with Native AOT.</summary>
public sealed class NamelessStacksTests
{
    [Fact]
    public async Task Snapshots_AreNotAvailable_WhereStacksNameNoMethods()
    {
        await using var app = await SnapshotApp.StartAsync(
            _ => { }, configure: b => b.Services.AddSingleton(new CallStacks(nameMethods: false)));

        var (status, answer) = await app.Client.PostAsync();
        var report = await app.ReportAsync();

        status.ShouldBe(HttpStatusCode.ServiceUnavailable);
        answer.GetProperty("error").GetString()!.ShouldContain("do not name methods");
        report.GetProperty("probe").GetProperty("notAvailable").EnumerateArray().Select(gap => gap.GetString())
            .ShouldContain("stack snapshots: the stacks of this program do not name methods, as with Native AOT.");
    }
}
