using System.Runtime.CompilerServices;
using System.Text.Json;
using AsyncProbe.Rules;
using AsyncProbe.Tests;
using AsyncProbe.Tests.Blocking;
using Microsoft.AspNetCore.Builder;
using Microsoft.Data.Sqlite;
using Microsoft.EntityFrameworkCore;
using Microsoft.Extensions.DependencyInjection;

namespace AsyncProbe.Integration.Tests.Blocking.Databases;

/// <summary>Asynchronous code over a provider that is synchronous inside.</summary>
public sealed class SqliteTests : IDisposable
{
    private const int Requests = 14;

    // Waiting for a task may spin until the task has ended.
    private static readonly ManualResetEvent s_never = new(false);

    private readonly string _file = Path.Combine(Path.GetTempPath(), $"asyncprobe-{Guid.NewGuid():N}.db");

    public void Dispose()
    {
        SqliteConnection.ClearAllPools();
        foreach (var file in Directory.GetFiles(Path.GetDirectoryName(_file)!, Path.GetFileName(_file) + "*"))
        {
            File.Delete(file);
        }
    }

    // The advice was once that async would help, x3.7, although every call was awaited. And one report said both to await SaveChangesAsync
    // and that await doesn't help, about the same line.
    [Theory]
    [InlineData("/add-async", true)]
    [InlineData("/add-sync", false)]
    public async Task Save_HasNothingToAwait_WhenTheFileIsLocked(string path, bool isAwaited)
    {
        await using var app = await StartAsync();

        await app.GetManyAsync(path, Requests);

        ShouldBlameTheProvider(await app.EndpointAsync("GET " + path, Requests));
        (await app.ReportAsync()).GetRawText().Contains("SaveChangesAsync", StringComparison.Ordinal).ShouldBe(isAwaited);
    }

    [Fact]
    public async Task Provider_IsNotAccused_OfASleepBesideIt()
    {
        await using var app = await StartAsync();

        await app.GetManyAsync("/sleep", Requests);

        var row = await app.EndpointAsync("GET /sleep", Requests);

        // The hook does not see where a thread sleeps, but the thread does nothing, so it is not the work of SQLite or of the runtime.
        row.GetProperty("verdict").GetString().ShouldBe("asyncWillHelp", row.ToString());
        row.GetProperty("advice").GetString()!.ShouldNotContain("Sqlite");
    }

    // The first requests' wait for the write lock once counted for all later ones: "await doesn't free a thread here".
    [Fact]
    public async Task Provider_IsNotAccused_OfALaterWait_AfterAColdRequestWaitedForTheFile()
    {
        await using var app = await StartAsync();

        await app.GetManyAsync("/begin-then-wait", Requests);

        var row = await app.EndpointAsync("GET /begin-then-wait", Requests);
        row.GetProperty("verdict").GetString().ShouldBe("asyncWillHelp", row.ToString());
        var advice = row.GetProperty("advice").GetString()!;
        advice.ShouldNotContain("Microsoft.Data.Sqlite");
        advice.ShouldContain(nameof(WaitForTheOther));

        // The request waits while it holds the only write transaction, so the advice must not promise a rate.
        advice.ShouldContain("write lock still sets");
        var recent = row.GetProperty("recent");
        recent.GetProperty("providerMs").GetDouble().ShouldBeLessThan(recent.GetProperty("blockedMs").GetDouble() / 2);
    }

    // The wall time of its commands was once reported as blocked, with a line and advice. But a command may really wait for the disk.
    [Fact]
    public async Task Query_IsNotBlocked_WhenItOnlyComputes()
    {
        await using var app = await StartAsync();

        await app.GetManyAsync("/compute", Requests);

        var row = await app.EndpointAsync("GET /compute", Requests);
        var named = (await app.SitesAsync("GET /compute")).Sum(s => s.Ms("blockedMs"));
        named.ShouldBeLessThanOrEqualTo(row.Ms("blockedMs") + 0.1);
    }

    // BeginTransaction waits for the write lock. Its time once had no place at all.
    [Theory]
    [InlineData("/begin-sync", "BeginTransaction()")]
    [InlineData("/begin-async", "BeginTransactionAsync()")]
    public async Task Transaction_HasASite_WhenItWaitsForTheLock(string path, string line)
    {
        await using var app = await StartAsync();

        await app.GetManyAsync(path, Requests);

        ShouldBlameTheProvider(await app.EndpointAsync("GET " + path, Requests));
        var site = (await app.SitesAsync("GET " + path)).MaxBy(s => s.Ms("blockedMs"));
        site.GetProperty("kind").GetString().ShouldBe("EfCore");
        File.ReadLines(ThisFile()).ElementAt(site.GetProperty("line").GetInt32() - 1).ShouldContain(line);

        // A request that waits for its turn doesn't hold up other writers. It once counted as if it did.
        site.GetProperty("limit").ValueKind.ShouldBe(JsonValueKind.Null);
    }

    private static void ShouldBlameTheProvider(JsonElement endpoint)
    {
        endpoint.GetProperty("verdict").GetString().ShouldBe("providerIsSynchronous");
        var advice = endpoint.GetProperty("advice").GetString()!;
        advice.ShouldContain("Microsoft.Data.Sqlite");
        advice.ShouldContain("shorter write transactions");
    }

    private async Task<ProbedApp> StartAsync()
    {
        var app = await ProbedApp.StartAsync(
            a =>
            {
                a.MapGet("/add-async", async (Notes notes) =>
                {
                    await LockAsync();
                    notes.Add(new Note());
                    await notes.SaveChangesAsync();
                });
                a.MapGet("/add-sync", async (Notes notes) =>
                {
                    await LockAsync();
                    notes.Add(new Note());
                    notes.SaveChanges();
                });
                a.MapGet("/begin-async", async (Notes notes) =>
                {
                    await LockAsync();
                    await using var transaction = await notes.Database.BeginTransactionAsync();
                    notes.Add(new Note());
                    await notes.SaveChangesAsync();
                    await transaction.CommitAsync();
                });
                a.MapGet("/begin-sync", async (Notes notes) =>
                {
                    await LockAsync();
                    using var transaction = notes.Database.BeginTransaction();
                    notes.Add(new Note());
                    notes.SaveChanges();
                    transaction.Commit();
                });
                var begun = 0;
                a.MapGet("/begin-then-wait", async (Notes notes) =>
                {
                    if (Interlocked.Increment(ref begun) <= Verdicts.ColdRequests)
                    {
                        await LockAsync();
                    }

                    using var transaction = notes.Database.BeginTransaction();
                    WaitForTheOther();
                    transaction.Commit();
                });
                a.MapGet("/compute", (Notes notes) => notes.Database.ExecuteSqlRaw(
                    "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 100000) SELECT sum(i) FROM n"));
                a.MapGet("/sleep", async (Notes notes) =>
                {
                    var count = await notes.All.CountAsync();

                    // Longer than a thread waits for a core on a crowded machine. Otherwise the cores would be to blame.
                    Thread.Sleep(100);
                    return count;
                });
            },
            configure: b => b.Services.AddDbContext<Notes>(o => o.UseSqlite($"Data Source={_file};Pooling=False")));
        await using var scope = app.Services.CreateAsyncScope();
        await scope.ServiceProvider.GetRequiredService<Notes>().Database.EnsureCreatedAsync();
        return app;
    }

    // Another writer holds the file, for less time than the provider sleeps before it tries again.
    private Task LockAsync()
    {
        var locked = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        new Thread(() =>
        {
            using var connection = new SqliteConnection($"Data Source={_file};Pooling=False");
            connection.Open();
            Execute(connection, "BEGIN IMMEDIATE");
            locked.SetResult();
            Thread.Sleep(100);
            Execute(connection, "COMMIT");
        }) { IsBackground = true }.UnsafeStart();
        return locked.Task.WaitAsync(RunningApp.Timeout);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void WaitForTheOther() => s_never.WaitOne(25);

    private static void Execute(SqliteConnection connection, string text)
    {
        using var command = connection.CreateCommand();
        command.CommandText = text;
        command.ExecuteNonQuery();
    }

    private static string ThisFile([CallerFilePath] string path = "") => path;

    public sealed class Note
    {
        public int Id { get; set; }
    }

    public sealed class Notes(DbContextOptions<Notes> options) : DbContext(options)
    {
        public DbSet<Note> All => Set<Note>();
    }
}
