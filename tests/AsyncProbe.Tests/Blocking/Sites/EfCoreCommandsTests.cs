using System.Diagnostics;
using Microsoft.AspNetCore.Builder;

namespace AsyncProbe.Tests.Blocking.Sites;

/// <summary>What EF Core tells of a command beside what the hook has seen of it.</summary>
public sealed class EfCoreCommandsTests
{
    private const string Executed = "Microsoft.EntityFrameworkCore.Database.Command.CommandExecuted";

    // One millisecond at a lock of the provider's hid all of the command, and its line was told as Lock.
    [Fact]
    public async Task Command_IsNamedWithoutItsLocks_WhenOnlyALockWasSeenWithinIt()
    {
        using var efCore = new DiagnosticListener("Microsoft.EntityFrameworkCore");
        using var held = new HeldLock();
        var took = TimeSpan.Zero;
        await using var app = await ProbedApp.StartAsync(a => a.MapGet("/command", () =>
        {
            var begin = Stopwatch.GetTimestamp();
            held.Await(TimeSpan.FromMilliseconds(20));
            Thread.Sleep(40);
            took = Stopwatch.GetElapsedTime(begin);
            // EF Core's event comes after the command, on a busy machine a while after it.
            Thread.Sleep(3);
            efCore.Write(Executed, new CommandEvent(IsAsync: false, took));
            return "executed";
        }));

        (await app.TextAsync("/command")).ShouldBe("executed");
        await app.EndpointAsync("GET /command");

        var sites = await app.SitesAsync("GET /command");
        var command = sites.Where(s => s.GetProperty("kind").GetString() != "Lock").ShouldHaveSingleItem();
        var atTheLock = sites.Where(s => s.GetProperty("at").GetString()!.Contains(nameof(HeldLock), StringComparison.Ordinal))
            .ShouldHaveSingleItem();
        command.Ms("blockedMs").ShouldBeGreaterThanOrEqualTo(39);
        atTheLock.GetProperty("kind").GetString().ShouldBe("Lock");
        (command.Ms("blockedMs") + atTheLock.Ms("blockedMs")).ShouldBeLessThanOrEqualTo(took.TotalMilliseconds + 0.01);
    }

    private sealed record CommandEvent(bool IsAsync, TimeSpan Duration);

    /// <summary>A lock that another thread has until the test is over.</summary>
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
