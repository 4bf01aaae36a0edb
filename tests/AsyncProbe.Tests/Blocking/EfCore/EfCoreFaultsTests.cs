using System.Diagnostics;
using Microsoft.AspNetCore.Builder;

namespace AsyncProbe.Tests.Blocking.EfCore;

/// <summary>AsyncProbe handles EF Core's events on the application's own thread, in the middle of its query.</summary>
public sealed class EfCoreFaultsTests
{
    private const string Name = "Microsoft.EntityFrameworkCore";
    private const string Executing = "Microsoft.EntityFrameworkCore.Database.Command.CommandExecuting";
    private const string Executed = "Microsoft.EntityFrameworkCore.Database.Command.CommandExecuted";

    [Fact]
    public async Task Command_Succeeds_WhenListeningToItFails()
    {
        using var efCore = new DiagnosticListener(Name);
        await using var app = await ProbedApp.StartAsync(a =>
        {
            a.MapGet("/broken", () => Execute(efCore, new BrokenEvent()));
            a.MapGet("/sound", () => Execute(efCore, new SoundEvent()));
        });

        (await app.TextAsync("/broken")).ShouldBe("executed");

        (await app.ReportAsync()).GetProperty("probe").Count("faults").ShouldBe(1);
        (await app.TextAsync("/sound")).ShouldBe("executed");
        await app.EndpointAsync("GET /sound");
        var report = await app.ReportAsync();
        report.GetProperty("sites").EnumerateArray().ShouldHaveSingleItem().Count("count").ShouldBe(1);
        report.GetProperty("probe").Count("faults").ShouldBe(1);
    }

    [Fact]
    public async Task Listener_IsLetGo_WhenItIsDisposed()
    {
        await using var app = await ProbedApp.StartAsync(_ => { });

        // One for every service provider that EF Core creates for itself.
        var passing = Enumerable.Range(0, 100).Select(_ => ComeAndGo()).ToList();

        await Eventually.TrueAsync(
            () =>
            {
                GC.Collect();
                return Task.FromResult(!passing.Exists(p => p.IsAlive));
            },
            () => $"{passing.Count(p => p.IsAlive)} of 100 are still alive");
    }

    private static WeakReference ComeAndGo()
    {
        using var efCore = new DiagnosticListener(Name);
        efCore.IsEnabled(Executed).ShouldBeTrue("nobody listens");
        return new WeakReference(efCore);
    }

    private static string Execute(DiagnosticListener efCore, object command)
    {
        efCore.Write(Executing, command);
        Thread.Sleep(30);
        efCore.Write(Executed, command);
        return "executed";
    }

    private sealed record BrokenEvent
    {
        private readonly string? _reason = "an event that cannot be read";

        public object Command => throw new InvalidOperationException(_reason);
    }

    private sealed record SoundEvent;
}
