using System.Globalization;
using AsyncProbe.Clocks;
using AsyncProbe.Common;
using AsyncProbe.Requests;
using AsyncProbe.TestServer;
using Microsoft.AspNetCore.Builder;

namespace AsyncProbe.Tests.Requests;

/// <summary>What a response shows about its request while another thread still works on it.</summary>
public sealed class OpenSegmentsTests
{
    private const int BlockedMs = 300;

    [Fact]
    public async Task Headers_TellOfTheThreadThatBlocked_ThoughItIsStillOnItsWayOut()
    {
        using var gate = new ManualResetEventSlim();
        using var reached = new SemaphoreSlim(0);
        await using var app = await ProbedApp.StartAsync(a => a.MapGet("/", async () =>
        {
            _ = Task.Run(() =>
            {
                Thread.Sleep(BlockedMs);
                reached.Release();
                gate.Wait(ProbedApp.Timeout);
            });
            await reached.WaitAsync(ProbedApp.Timeout);
            return "ok";
        }));
        try
        {
            using var response = await app.GetAsync("/");

            Figure(response, "X-AsyncProbe-Held-Ms").ShouldBeGreaterThan(BlockedMs - 20);
            response.StoodStillMs().ShouldBeGreaterThan(BlockedMs / 2);
        }
        finally
        {
            gate.Set();
        }
    }

    [Fact]
    public async Task Headers_CallNoWorkBlocked_ThatGoesOnElsewhere()
    {
        using var reached = new SemaphoreSlim(0);
        var isOver = false;
        await using var app = await ProbedApp.StartAsync(a => a.MapGet("/", async () =>
        {
            _ = Task.Run(() =>
            {
                Cpu.Burn(100);
                reached.Release();
                while (!Volatile.Read(ref isOver))
                {
                    Thread.SpinWait(100);
                }
            });
            await reached.WaitAsync(ProbedApp.Timeout);
            return "ok";
        }));
        try
        {
            using var response = await app.GetAsync("/");

            Figure(response, "X-AsyncProbe-Cpu-Ms").ShouldBeGreaterThan(90);
            Figure(response, "X-AsyncProbe-Blocked-Ms").ShouldBeLessThan(50);
        }
        finally
        {
            Volatile.Write(ref isOver, true);
        }
    }

    [Fact]
    public void OpenSegment_IsCountedOnce_WhenItIsTheCallersOwn()
    {
        var probe = new RequestProbe();
        var slot = new ThreadSlot(ThreadIdentity.Unknown, isPoolThread: true);
        probe.OpenCount.ShouldBe(0);

        slot.Arrive(probe, Timestamp.Now());
        probe.OpenCount.ShouldBe(1);
        slot.SoFarFromOutside(probe)!.Value.Held.ShouldBeGreaterThan(Duration.Zero);
        slot.SoFarFromOutside(new RequestProbe()).ShouldBeNull();

        slot.Depart(probe, Timestamp.Now());
        probe.OpenCount.ShouldBe(0);
        slot.SoFarFromOutside(probe).ShouldBeNull();
    }

    private static double Figure(HttpResponseMessage response, string name) =>
        double.Parse(response.Headers.GetValues(name).Single(), CultureInfo.InvariantCulture);
}
