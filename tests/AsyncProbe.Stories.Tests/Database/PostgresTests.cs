using System.Text.Json;
using AsyncProbe.Stories.Tests.SyncVsAsync;

namespace AsyncProbe.Stories.Tests.Database;

/// <summary>The database stories on a real PostgreSQL server.</summary>
[Trait("Category", "Postgres")]
public sealed class PostgresTests
{
    [Fact]
    public async Task Stories_RunOnPostgres_WhenAConnectionStringIsSet()
    {
        await using var cluster = await PostgresCluster.StartNewAsync();
        if (cluster is null)
        {
            return;
        }

        await using var sample = await SampleProcess.StartAsync(
            "--Sample:MaxWorkerThreads", "8", "--ConnectionStrings:Postgres", cluster.ConnectionString);
        await sample.LineAsync("Database: PostgreSQL at 127.0.0.1");
        (await sample.TextAsync("/")).ShouldContain("PostgreSQL at 127.0.0.1");
        JsonDocument.Parse(await sample.TextAsync("/Product?category=boots")).RootElement.GetArrayLength().ShouldBe(4);
        JsonDocument.Parse(await sample.TextAsync("/SyncProduct?category=kayak")).RootElement.GetArrayLength().ShouldBe(4);
        await ThreadsLeft.ShowAsync(sample);
    }

    [Fact]
    public async Task Sins_BlockInTheDatabase_WhenThereIsOne()
    {
        await using var cluster = await PostgresCluster.StartNewAsync();
        if (cluster is null)
        {
            return;
        }

        await using var app = await TestApp.StartSampleAsync(
            "--Sample:Upstream=false", $"--ConnectionStrings:Postgres={cluster.ConnectionString}");
        foreach (var (sin, isReported) in new[]
        {
            ("sql", true), ("ef-to-list", true), ("ef-save-changes", true),
            ("sql-async", false), ("ef-to-list-async", false), ("ef-save-changes-async", false), ("ef-find-tracked", false),
        })
        {
            using var answer = await app.GetAsync($"/sins/{sin}?ms=300");
            answer.IsSuccessStatusCode.ShouldBeTrue(sin);
            if (!isReported)
            {
                answer.Number("X-AsyncProbe-Blocked-Ms").ShouldBeLessThan(150, sin);
                continue;
            }

            // Use the report: the thread that blocked may still be leaving while another one starts the response.
            await Eventually.TrueAsync(async () => await BlockedAsync(app, sin) > 150, $"{sin}: {answer.Headers}");
        }
    }

    private static async Task<double> BlockedAsync(TestApp app, string sin)
    {
        using var report = JsonDocument.Parse(await app.TextAsync($"/_threadpool?endpoint={sin}"));
        return report.RootElement.GetProperty("endpoints").EnumerateArray()
            .Where(e => e.GetProperty("endpoint").GetString() == $"GET /sins/{sin}")
            .Sum(e => e.GetProperty("blockedMs").GetProperty("max").GetDouble());
    }

    [Fact]
    public async Task Service_Returns_WhenPostgresDiesAndComesBack()
    {
        await using var cluster = await PostgresCluster.StartNewAsync();
        if (cluster is null)
        {
            return;
        }

        await using var app = await TestApp.StartSampleAsync(
            "--Sample:Upstream=false", $"--ConnectionStrings:Postgres={cluster.ConnectionString}");
        await cluster.KillAsync();
        foreach (var route in new[] { "/Product/1", "/SyncProduct/1", "/api/syncvasync/sync", "/api/syncvasync/async" })
        {
            using var answer = await app.GetAsync(route);
            await answer.ShouldBeProblemAsync(503);
        }

        await cluster.StartAsync();
        await Eventually.TrueAsync(
            async () =>
            {
                using var answer = await app.GetAsync("/Product/1");
                return answer.IsSuccessStatusCode;
            },
            "The service did not come back.");
    }
}
