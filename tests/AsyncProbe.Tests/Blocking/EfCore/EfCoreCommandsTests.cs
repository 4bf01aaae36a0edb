using System.Data.Common;
using System.Diagnostics;
using System.Text.Json;
using AsyncProbe.Rules;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.Http.Features;
using Microsoft.Data.Sqlite;

namespace AsyncProbe.Tests.Blocking.EfCore;

/// <summary>EF Core's events add to what the hook has recorded for a command.</summary>
public sealed class EfCoreCommandsTests
{
    private const string Executing = "Microsoft.EntityFrameworkCore.Database.Command.CommandExecuting";
    private const string Saving = "Microsoft.EntityFrameworkCore.Update.SaveChangesStarting";
    private const string Saved = "Microsoft.EntityFrameworkCore.Update.SaveChangesCompleted";
    private const string Executed = "Microsoft.EntityFrameworkCore.Database.Command.CommandExecuted";

    // One millisecond at a lock of the provider once hid the rest of the command, and its line was reported as Lock.
    [Fact]
    public async Task Command_IsNamedWithoutItsLocks_WhenOnlyALockWasSeenWithinIt()
    {
        using var efCore = new DiagnosticListener("Microsoft.EntityFrameworkCore");
        using var held = new HeldLock();
        var (took, blocked) = (TimeSpan.Zero, TimeSpan.Zero);
        await using var app = await ProbedApp.StartAsync(a => a.MapGet("/command", (HttpContext context) =>
        {
            var probe = context.Features.GetRequiredFeature<IAsyncProbeFeature>();
            var begin = Stopwatch.GetTimestamp();
            efCore.Write(Executing, new CommandEvent());
            var (before, pauses) = (probe.Blocked!.Value, GC.GetTotalPauseDuration());
            held.Await(TimeSpan.FromMilliseconds(20));
            Thread.Sleep(40);
            blocked = probe.Blocked!.Value - before - (GC.GetTotalPauseDuration() - pauses);
            efCore.Write(Executed, new CommandEvent());
            took = Stopwatch.GetElapsedTime(begin);
            return "executed";
        }));

        (await app.TextAsync("/command")).ShouldBe("executed");
        await app.EndpointAsync("GET /command");

        var command = (await CommandsAsync(app)).ShouldHaveSingleItem();
        var atTheLock = (await app.SitesAsync("GET /command"))
            .Where(s => s.GetProperty("at").GetString()!.Contains(nameof(HeldLock), StringComparison.Ordinal)).ShouldHaveSingleItem();

        // The thread may get to the lock late, and then waits there for less time. So the truth is what its clock says, without collections.
        blocked.ShouldBeGreaterThan(TimeSpan.FromMilliseconds(20));
        (command.Ms("blockedMs") + atTheLock.Ms("blockedMs")).ShouldBeGreaterThanOrEqualTo(blocked.TotalMilliseconds - 0.01);
        atTheLock.GetProperty("kind").GetString().ShouldBe("Lock");
        (command.Ms("blockedMs") + atTheLock.Ms("blockedMs")).ShouldBeLessThanOrEqualTo(took.TotalMilliseconds + 0.01);
    }

    // Only the last eight locks within a command were once taken off it, so the time of the others was counted twice.
    [Fact]
    public async Task Command_IsNamedWithoutItsLocks_HoweverManyThereAre()
    {
        using var efCore = new DiagnosticListener("Microsoft.EntityFrameworkCore");
        using var held = new HeldLock();
        await using var app = await ProbedApp.StartAsync(a => a.MapGet("/command", () =>
        {
            efCore.Write(Executing, new CommandEvent());
            for (var i = 0; i < 20; i++)
            {
                held.Await(TimeSpan.FromMilliseconds(5));
            }

            Thread.Sleep(20);
            efCore.Write(Executed, new CommandEvent());
            return "executed";
        }));

        (await app.TextAsync("/command")).ShouldBe("executed");
        var endpoint = await app.EndpointAsync("GET /command");

        var sites = await app.SitesAsync("GET /command");
        sites.Sum(s => s.Ms("blockedMs")).ShouldBeLessThanOrEqualTo(endpoint.Ms("blockedMs") + (0.001 * (sites.Length + 1)));
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

        (await CommandsAsync(app)).ShouldBeEmpty();
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

        // The first request also waits for types to load and methods to compile.
        await app.TextAsync("/command");
        await app.EndpointAsync("GET /command");
        await app.Client.PostAsync(new Uri("/_threadpool/reset", UriKind.Relative), null);
        (await app.TextAsync("/command")).ShouldBe("executed");
        await app.EndpointAsync("GET /command");

        (await CommandsAsync(app)).ShouldBeEmpty();
    }

    // EF Core raises its event after it has written to the log. A wait of the logger once counted as the query's.
    [Fact]
    public async Task Command_HasNoSite_WhenOnlyTheLogWaited()
    {
        using var efCore = new DiagnosticListener("Microsoft.EntityFrameworkCore");
        await using var app = await ProbedApp.StartAsync(a => a.MapGet("/command", () =>
        {
            efCore.Write(Executing, new CommandEvent());
            Thread.Sleep(40);
            efCore.Write(Executed, new EndedCommandEvent(TimeSpan.FromMilliseconds(0.5)));
            return "executed";
        }));

        (await app.TextAsync("/command")).ShouldBe("executed");
        await app.EndpointAsync("GET /command");

        (await CommandsAsync(app)).ShouldBeEmpty();
    }

    // SQLite commits a single update after its rows were read, and the report said "perhaps in the runtime itself".
    [Theory]
    [InlineData(Saved)]
    [InlineData("Microsoft.EntityFrameworkCore.Update.SaveChangesFailed")]
    [InlineData("Microsoft.EntityFrameworkCore.Update.SaveChangesCanceled")]
    public async Task RestOfASave_IsTheProviders_UntilTheSaveEnds(string end)
    {
        using var efCore = new DiagnosticListener("Microsoft.EntityFrameworkCore");
        using var command = new SqliteCommand();
        await using var app = await ProbedApp.StartAsync(a =>
        {
            a.MapGet("/save", () =>
            {
                efCore.Write(Saving, new CommandEvent());
                efCore.Write(Executing, new CommandEvent());
                efCore.Write(Executed, new SqliteEvent(command, TimeSpan.FromMilliseconds(0.1)));
                Thread.Sleep(20);

                // Raised only for other subscribers, such as a tracer that takes all events.
                efCore.Write("Microsoft.EntityFrameworkCore.Database.Command.DataReaderDisposing", new CommandEvent());
                efCore.Write(end, new CommandEvent());
                return "saved";
            });
            a.MapGet("/query", () =>
            {
                efCore.Write(Executing, new CommandEvent());
                efCore.Write(Executed, new SqliteEvent(command, TimeSpan.FromMilliseconds(0.1)));
                Thread.Sleep(20);
                return "read";
            });
        });

        (await app.TextAsync("/save")).ShouldBe("saved");
        (await app.TextAsync("/query")).ShouldBe("read");
        await app.EndpointAsync("GET /save");

        (await app.SitesAsync("GET /save")).ShouldHaveSingleItem().GetProperty("provider").GetString().ShouldBe("Microsoft.Data.Sqlite");
        (await app.SitesAsync("GET /query")).ShouldBeEmpty();
    }

    // The site of the command once hid that of the rest.
    [Fact]
    public async Task RestOfASave_HasASite_AfterACommandThatHasOne()
    {
        using var efCore = new DiagnosticListener("Microsoft.EntityFrameworkCore");
        using var command = new SqliteCommand();
        await using var app = await ProbedApp.StartAsync(a => a.MapGet("/save", () =>
        {
            efCore.Write(Saving, new CommandEvent());
            efCore.Write(Executing, new CommandEvent());
            Thread.Sleep(20);
            efCore.Write(Executed, new SqliteEvent(command, TimeSpan.FromMilliseconds(20)));
            Thread.Sleep(20);
            efCore.Write(Saved, new CommandEvent());
            return "saved";
        }));

        (await app.TextAsync("/save")).ShouldBe("saved");
        await app.EndpointAsync("GET /save");

        (await app.SitesAsync("GET /save")).Where(site => site.GetProperty("provider").ValueKind == JsonValueKind.String)
            .Sum(site => site.Ms("blockedMs")).ShouldBeGreaterThan(30);
    }

    // SQLite sleeps for 150 ms before it retries. With a collection in it, the sleep was no longer recognized, and the remedy was wrong.
    [Fact]
    public async Task Retry_IsRecognized_WhenTheProcessCollectsDuringIt()
    {
        using var efCore = new DiagnosticListener("Microsoft.EntityFrameworkCore");
        using var command = new SqliteCommand();
        await using var app = await ProbedApp.StartAsync(a => a.MapGet("/command", () =>
        {
            efCore.Write(Executing, new CommandEvent());
            var collections = new Thread(() => CollectFor(TimeSpan.FromMilliseconds(40)));
            collections.Start();
            Thread.Sleep(150);
            collections.Join();
            efCore.Write(Executed, new SqliteEvent(command, TimeSpan.FromMilliseconds(151)));
            return "executed";
        }));
        for (var i = 0; i < Verdicts.ColdRequests + Verdicts.RequestsNeeded; i++)
        {
            await app.TextAsync("/command");
        }

        var endpoint = await app.EndpointAsync("GET /command");

        endpoint.GetProperty("blockedInGcMs").GetProperty("mean").GetDouble().ShouldBeGreaterThan(15);
        endpoint.GetProperty("advice").GetString()!.ShouldContain("retries");
    }

    private static void CollectFor(TimeSpan pauses)
    {
        var before = GC.GetTotalPauseDuration();
        while (GC.GetTotalPauseDuration() - before < pauses)
        {
            GC.Collect();
        }
    }

    // A lock may be there too: on a busy machine a request also waits for the runtime's.
    private static async Task<IEnumerable<JsonElement>> CommandsAsync(ProbedApp app) =>
        (await app.SitesAsync("GET /command")).Where(site => site.GetProperty("kind").GetString() != "Lock");

    private sealed record CommandEvent;

    private sealed record EndedCommandEvent(TimeSpan Duration);

    private sealed record SqliteEvent(DbCommand Command, TimeSpan Duration);

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
