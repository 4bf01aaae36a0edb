using AsyncProbe.Blocking.Hook;
using AsyncProbe.Pool.Diagnosis;
using AsyncProbe.Requests;
using Microsoft.Extensions.DependencyInjection;

namespace AsyncProbe.Tests.Blocking.Hook;

/// <summary>The report, the metrics and the pool's diagnosis say the same about the hook.</summary>
public sealed class HookStatusTests
{
    [Fact]
    public async Task Hook_IsOffEverywhere_OnceTheRuntimeDoesNotReportArrivals()
    {
        IServiceProvider services = null!;
        await using var app = await ProbedApp.StartAsync(a => services = a.Services);
        services.GetRequiredService<HookStatus>().Conclude(HookState.NoArrivals);

        var probe = (await app.ReportAsync()).GetProperty("probe");
        probe.GetProperty("detection").GetString().ShouldBe("off");
        probe.GetProperty("selfTest").GetString()!.ShouldStartWith("failed: this runtime");
        (await app.TextAsync("/_threadpool/metrics")).ShouldContain("asyncprobe_detection=\"off\"");
        services.GetRequiredService<IWaitFinder>().WillLook.ShouldBeFalse();
        var request = new RequestProbe();
        services.GetRequiredService<Arming>().Begin(request);
        request.Armed.ShouldBeNull();
        app.Log.All.Count(line => line.Id.Id == 14).ShouldBe(1);
    }
}
