using System.Diagnostics;
using Microsoft.AspNetCore.Builder;

namespace AsyncProbe.Tests.Blocking.Sites;

/// <summary>EF Core's events add to what the hook has recorded for a command.</summary>
public sealed class EfCoreCommandsTests
{
    private const string Executing = "Microsoft.EntityFrameworkCore.Database.Command.CommandExecuting";
    private const string Executed = "Microsoft.EntityFrameworkCore.Database.Command.CommandExecuted";

    // One millisecond at a lock of the provider once hid the rest of the command, and its line was reported as Lock.
    [Fact]
    public async Task Command_IsNamedWithoutItsLocks_WhenOnlyALockWasSeenWithinIt()
    {
        using var efCore = new DiagnosticListener("Microsoft.EntityFrameworkCore");
        using var held = new HeldLock();
        var took = TimeSpan.Zero;
        await using var app = await ProbedApp.StartAsync(a => a.MapGet("/command", () =>
        {
            var begin = Stopwatch.GetTimestamp();
            efCore.Write(Executing, new CommandEvent());
            held.Await(TimeSpan.FromMilliseconds(20));
            Thread.Sleep(40);
            efCore.Write(Executed, new CommandEvent());
            took = Stopwatch.GetElapsedTime(begin);
            return "executed";
        }));

        (await app.TextAsync("/command")).ShouldBe("executed");
        await app.EndpointAsync("GET /command");

        var sites = await app.SitesAsync("GET /command");
        var command = sites.Where(s => s.GetProperty("kind").GetString() != "Lock").ShouldHaveSingleItem();
        var atTheLock = sites.Where(s => s.GetProperty("at").GetString()!.Contains(nameof(HeldLock), StringComparison.Ordinal))
            .ShouldHaveSingleItem();
        // The lock's time is wall-clock time, so on a busy machine part of it is a wait for a core, which the command then lacks.
        (command.Ms("blockedMs") + atTheLock.Ms("blockedMs")).ShouldBeGreaterThanOrEqualTo(59);
        atTheLock.GetProperty("kind").GetString().ShouldBe("Lock");
        (command.Ms("blockedMs") + atTheLock.Ms("blockedMs")).ShouldBeLessThanOrEqualTo(took.TotalMilliseconds + 0.01);
    }

    // The events of two commands of one request came from different threads, or from one with an await in between.
    [Fact]
    public async Task Command_HasNoSite_WhenItsEndIsInAnotherSegment()
    {
        using var efCore = new DiagnosticListener("Microsoft.EntityFrameworkCore");
        await using var app = await ProbedApp.StartAsync(a => a.MapGet("/command", async () =>
        {
            efCore.Write(Executing, new CommandEvent());
            Thread.Sleep(5);
            await Task.Yield();
            efCore.Write(Executed, new CommandEvent());
            return "executed";
        }));

        (await app.TextAsync("/command")).ShouldBe("executed");
        await app.EndpointAsync("GET /command");

        (await app.SitesAsync("GET /command")).ShouldBeEmpty();
    }

    // A command's wall time was once counted as blocked time.
    [Fact]
    public async Task Command_HasNoSite_WhenItOnlyComputes()
    {
        using var efCore = new DiagnosticListener("Microsoft.EntityFrameworkCore");
        await using var app = await ProbedApp.StartAsync(a => a.MapGet("/command", () =>
        {
            efCore.Write(Executing, new CommandEvent());
            var begin = Stopwatch.GetTimestamp();
            while (Stopwatch.GetElapsedTime(begin) < TimeSpan.FromMilliseconds(20))
            {
                // Deliberately busy.
            }

            efCore.Write(Executed, new CommandEvent());
            return "executed";
        }));

        (await app.TextAsync("/command")).ShouldBe("executed");
        await app.EndpointAsync("GET /command");

        (await app.SitesAsync("GET /command")).ShouldBeEmpty();
    }

    private sealed record CommandEvent;

    /// <summary>A lock that another thread holds until the test is over.</summary>
    private sealed class HeldLock : IDisposable
    {
        private readonly object _gate = new();
        private readonly ManualResetEventSlim _isOver = new();
        private readonly Thread _holder;

        public HeldLock()
        {
            using var isTaken = new ManualResetEventSlim();
            _holder = new Thread(() =>
            {
                lock (_gate)
                {
                    isTaken.Set();
                    _isOver.Wait();
                }
            });
            _holder.Start();
            isTaken.Wait();
        }

        public void Await(TimeSpan time) => Monitor.TryEnter(_gate, time).ShouldBeFalse();

        public void Dispose()
        {
            _isOver.Set();
            _holder.Join();
            _isOver.Dispose();
        }
    }
}
