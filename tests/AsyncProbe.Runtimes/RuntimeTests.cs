using System.Diagnostics;
using System.Reflection;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using AsyncProbe.Tests;
using AsyncProbe.Wiring;
using Microsoft.AspNetCore.Builder;

namespace AsyncProbe.Runtimes;

/// <summary>What AsyncProbe reports about the runtime that it runs on.</summary>
public sealed class RuntimeTests
{
#if NET10_0_OR_GREATER
    private const string Name = ".NET 10.0.";
#elif NET9_0_OR_GREATER
    private const string Name = ".NET 9.0.";
#else
    private const string Name = ".NET 8.0.";
#endif

    [Fact]
    public async Task Report_NamesTheRuntime_AndNothingIsMissing()
    {
        await using var app = await ProbedApp.StartAsync(_ => { });

        var report = await app.ReportAsync();

        RuntimeInformation.FrameworkDescription.ShouldStartWith(Name);
        report.GetProperty("process").GetProperty("runtime").GetString()!.ShouldStartWith(Name);
        report.GetProperty("process").GetProperty("cpuMs").GetDouble().ShouldBeGreaterThan(0);
        report.GetProperty("probe").GetProperty("selfTest").GetString().ShouldBe("passed");
        report.GetProperty("probe").GetProperty("notAvailable").GetArrayLength().ShouldBe(0, report.GetProperty("probe").ToString());
    }

    // A build without runtime async would pass all the other tests.
    [Fact]
    public async Task AsyncMethod_IsAStateMachine_UnlessTheRuntimeSuspendsIt()
    {
        await Task.Yield();

        var mine = new StackTrace().GetFrames().Select(frame => frame.GetMethod()!)
            .First(method => method.Module == typeof(RuntimeTests).Module);
#if RUNTIME_ASYNC
        (mine.DeclaringType, mine.Name).ShouldBe((typeof(RuntimeTests), nameof(AsyncMethod_IsAStateMachine_UnlessTheRuntimeSuspendsIt)));
#else
        mine.Name.ShouldBe("MoveNext");
#endif
    }

    [Fact]
    public void Middleware_IsAStateMachine_UnlessTheRuntimeSuspendsIt()
    {
        var machines = typeof(AsyncProbeMiddleware).GetNestedTypes(BindingFlags.NonPublic)
            .Where(type => type.IsAssignableTo(typeof(IAsyncStateMachine)));
#if RUNTIME_ASYNC
        machines.ShouldBeEmpty();
#else
        machines.ShouldNotBeEmpty();
#endif
    }

#if NET9_0_OR_GREATER
    // AsyncProbe's build for .NET 8 runs here, and doesn't know the type.
    [Fact]
    public async Task StaticAssets_HaveOneRow()
    {
        await using var app = await ProbedApp.StartAsync(a => a.MapGet("/site.css", () => "css")
            .WithMetadata(new Microsoft.AspNetCore.StaticAssets.StaticAssetDescriptor { Route = "site.css", AssetPath = "site.css" }));

        await app.TextAsync("/site.css");

        (await app.EndpointAsync("(static)")).Count("requests").ShouldBe(1);
    }
#endif

    [Fact]
    public async Task Headers_TellWhatTheRequestCost()
    {
        await using var app = await ProbedApp.StartAsync(a => a.MapGet("/sleep", () => Thread.Sleep(100)));

        using var response = await app.GetAsync("/sleep");

        response.Number("X-AsyncProbe-Held-Ms").ShouldBeGreaterThan(90);
        response.Number("X-AsyncProbe-Blocked-Ms").ShouldBeGreaterThan(90);
        response.Number("X-ThreadPool-Available-Workers").ShouldBeGreaterThan(0);
        response.Headers.GetValues("Server-Timing").Single().ShouldContain("blocked;dur=");
    }
}
