using Microsoft.AspNetCore.Builder;
using Microsoft.Data.Sqlite;
using Microsoft.EntityFrameworkCore;
using Microsoft.Extensions.DependencyInjection;

namespace AsyncProbe.Tests.Blocking.Databases;

/// <summary>Asynchronous code over a provider that is synchronous inside.</summary>
public sealed class SqliteTests : IDisposable
{
    private const int Requests = 14;

    private readonly string _file = Path.Combine(Path.GetTempPath(), $"asyncprobe-{Guid.NewGuid():N}.db");

    public void Dispose()
    {
        SqliteConnection.ClearAllPools();
        foreach (var file in Directory.GetFiles(Path.GetDirectoryName(_file)!, Path.GetFileName(_file) + "*"))
        {
            File.Delete(file);
        }
    }

    // It was told that async would help, x3.7, while every call was awaited.
    [Theory]
    [InlineData("/add-async")]
    [InlineData("/add-sync")]
    [InlineData("/begin-async")]
    public async Task Verdict_IsProviderIsSynchronous_WhenTheFileIsLocked(string path)
    {
        await using var app = await StartAsync();

        await app.GetManyAsync(path, Requests);

        var row = await app.EndpointAsync("GET " + path, Requests);
        row.GetProperty("verdict").GetString().ShouldBe("providerIsSynchronous");
        var advice = row.GetProperty("advice").GetString()!;
        advice.ShouldContain(
            "most of it inside Microsoft.Data.Sqlite, which waits in its asynchronous methods too: await frees no thread here");
        advice.ShouldContain("it sleeps and tries a locked database again");
    }

    [Fact]
    public async Task Provider_IsNotAccused_OfASleepBesideIt()
    {
        await using var app = await StartAsync();

        await app.GetManyAsync("/sleep", Requests);

        var row = await app.EndpointAsync("GET /sleep", Requests);
        row.GetProperty("verdict").GetString().ShouldBe("asyncWillHelp");
        row.GetProperty("advice").GetString()!.ShouldNotContain("Sqlite");
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
                a.MapGet("/sleep", async (Notes notes) =>
                {
                    var count = await notes.All.CountAsync();
                    Thread.Sleep(30);
                    return count;
                });
            },
            configure: b => b.Services.AddDbContext<Notes>(o => o.UseSqlite($"Data Source={_file};Pooling=False")));
        await using var scope = app.Services.CreateAsyncScope();
        await scope.ServiceProvider.GetRequiredService<Notes>().Database.EnsureCreatedAsync();
        return app;
    }

    // Another writer has the file, and keeps it for less than the provider sleeps before it tries again.
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

    private static void Execute(SqliteConnection connection, string text)
    {
        using var command = connection.CreateCommand();
        command.CommandText = text;
        command.ExecuteNonQuery();
    }

    public sealed class Note
    {
        public int Id { get; set; }
    }

    public sealed class Notes(DbContextOptions<Notes> options) : DbContext(options)
    {
        public DbSet<Note> All => Set<Note>();
    }
}
