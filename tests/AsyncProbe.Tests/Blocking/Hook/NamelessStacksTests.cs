using AsyncProbe.Blocking.Hook;
using AsyncProbe.Blocking.Stacks;
using AsyncProbe.Common;
using Microsoft.AspNetCore.Builder;
using Microsoft.Extensions.DependencyInjection;

namespace AsyncProbe.Tests.Blocking.Hook;

/// <summary>A program whose stacks name no methods, as with Native AOT.</summary>
public sealed class NamelessStacksTests
{
    [Fact]
    public async Task CallSites_AreNotAvailable_AndNobodyClaimsThatItSleeps()
    {
        await using var app = await ProbedApp.StartAsync(
            a => a.MapGet("/blocked", () => Thread.Sleep(50)),
            configure: b => b.Services.AddSingleton(new CallStacks(nameMethods: false)));
        await app.GetManyAsync("/blocked", 11);

        var row = await app.EndpointAsync("GET /blocked", 11);
        var report = await app.ReportAsync();

        row.Ms("blockedMs", "mean").ShouldBeGreaterThan(40);
        row.GetProperty("advice").GetString()!.ShouldNotContain("Thread.Sleep");
        report.GetProperty("sites").GetArrayLength().ShouldBe(0);
        var probe = report.GetProperty("probe");
        probe.GetProperty("detection").GetString().ShouldBe("off");
        probe.GetProperty("selfTest").GetString()!.ShouldStartWith("failed: call sites not available");
        probe.GetProperty("notAvailable").EnumerateArray().Select(gap => gap.GetString()).ShouldContain(CallStacks.Gap);
        app.Log.All.Count(line => line.Id.Id == 14 && line.Text.Contains("call sites not available", StringComparison.Ordinal)).ShouldBe(1);
    }

    [Fact]
    public async Task DetectionThatIsOff_HasNothingToSay()
    {
        await using var app = await ProbedApp.StartAsync(
            _ => { },
            configure: b =>
            {
                b.Configuration["AsyncProbe:Detection"] = "Off";
                b.Services.AddSingleton(new CallStacks(nameMethods: false));
            });

        var probe = (await app.ReportAsync()).GetProperty("probe");

        probe.GetProperty("selfTest").GetString().ShouldBeNull();
        probe.GetProperty("notAvailable").GetArrayLength().ShouldBe(0, probe.ToString());
        app.Log.All.ShouldNotContain(line => line.Id.Id == 14);
    }

    [Fact]
    public void SelfTest_WantsAWaitThatWasSeen_AndAFrameWithAMethod()
    {
        SelfTest.Judge(Duration.FromMilliseconds(5), isNamed: true).ShouldBe(HookState.Passed);
        SelfTest.Judge(Duration.FromMilliseconds(5), isNamed: false).ShouldBe(HookState.NoMethods);
        SelfTest.Judge(Duration.Zero, isNamed: true).ShouldBe(HookState.Blind);
        CallStacks.Here.NameMethods.ShouldBeTrue();
    }
}
