using AsyncProbe.Tests;
using AsyncProbe.Tests.Blocking;
using Dapper;
using Microsoft.AspNetCore.Builder;
using Microsoft.EntityFrameworkCore;
using Microsoft.Extensions.DependencyInjection;
using Npgsql;

namespace AsyncProbe.Integration.Tests.Blocking.Databases;

[Trait("Needs", "PostgreSQL")]
public sealed class DatabaseTests(Postgres postgres) : IClassFixture<Postgres>
{
    private const double AtLeastMs = 50;
    private const string Slow = "select 1 as \"Value\" from pg_sleep(0.06)";

    [Theory]
    [InlineData("/npgsql", "SyncDb", "DatabaseTests.Queries.Npgsql")]
    [InlineData("/dapper", "SyncDb", "DatabaseTests.Queries.Dapper")]
    [InlineData("/ef", "EfCore", "DatabaseTests.Queries.EntityFramework")]
    [InlineData("/ef-save", "EfCore", "DatabaseTests.Queries.SaveChanges")]
    public async Task SynchronousQuery_IsNamed_InDevelopment(string path, string kind, string at)
    {
        await using var app = await StartAsync("Development");

        // The first request also opens the connection, and that blocks at another line.
        await app.GetManyAsync(path, 2);
        await app.EndpointAsync("GET " + path, 2);

        // Take the worst site; opening the connection and preparing the table may have their own rows.
        var site = (await app.SitesAsync("GET " + path))[0];
        site.GetProperty("kind").GetString().ShouldBe(kind);
        site.GetProperty("at").GetString().ShouldBe(at);
        site.Ms("blockedMs", "max").ShouldBeInRange(AtLeastMs, 5000);
    }

    [Fact]
    public async Task EfCore_IsNamedOnce_ThoughHookAndEventsBothSeeIt()
    {
        await using var app = await StartAsync("Development");

        await app.GetManyAsync("/ef", 5);
        var row = await app.EndpointAsync("GET /ef", 5);

        var blocked = (await app.SitesAsync("GET /ef")).Sum(s => s.Ms("blockedMs"));
        // A site's time ends when the thread has its core again, but the clocks count the last part of it as cpuWait.
        blocked.ShouldBeLessThan((row.Ms("blockedMs") + row.Ms("cpuWaitMs")) * 1.3);
    }

    [Fact]
    public async Task EfCore_IsNamedByItsEvents_WithoutTheHook()
    {
        await using var app = await StartAsync("Production");

        await app.GetManyAsync("/ef", 1);
        await app.EndpointAsync("GET /ef");

        var site = (await app.SitesAsync("GET /ef")).ShouldHaveSingleItem();
        site.GetProperty("kind").GetString().ShouldBe("EfCore");
        site.GetProperty("at").GetString().ShouldBe("DatabaseTests.Queries.EntityFramework");
        site.Ms("blockedMs").ShouldBeInRange(AtLeastMs, 5000);
    }

    [Theory]
    [InlineData("/npgsql-async")]
    [InlineData("/dapper-async")]
    [InlineData("/ef-async")]
    public async Task AsynchronousQuery_StaysSilent(string path)
    {
        await using var app = await StartAsync("Development");

        // Loading and opening happen once and don't belong to the query.
        await app.GetManyAsync(path, 3);
        await app.EndpointAsync("GET " + path, 3);
        await app.Client.PostAsync(new Uri("/_threadpool/reset", UriKind.Relative), null);
        await app.GetManyAsync(path, 10);
        await app.EndpointAsync("GET " + path, 10);

        (await app.SitesAsync("GET " + path)).ShouldBeEmpty();
    }

    [Fact]
    public async Task TrackedFind_StaysSilent()
    {
        await using var app = await StartAsync("Development");

        await app.GetManyAsync("/ef-find", 1);
        await app.EndpointAsync("GET /ef-find");

        (await app.SitesAsync("GET /ef-find")).ShouldBeEmpty();
    }

    private Task<ProbedApp> StartAsync(string environment) =>
        ProbedApp.StartAsync(
            app =>
            {
                app.MapGet("/npgsql", (NpgsqlDataSource source) => Queries.Npgsql(source));
                app.MapGet("/dapper", (NpgsqlDataSource source) => Queries.Dapper(source));
                app.MapGet("/ef", (Store store) => Queries.EntityFramework(store));
                app.MapGet("/ef-save", (Store store) => Queries.SaveChanges(store));
                app.MapGet("/ef-find", (Store store) =>
                {
                    store.Attach(new Item { Id = 7 });
                    return store.Find<Item>(7)!.Id;
                });
                app.MapGet("/npgsql-async", async (NpgsqlDataSource source) =>
                {
                    await using var command = source.CreateCommand(Slow);
                    await command.ExecuteScalarAsync();
                });
                app.MapGet("/dapper-async", async (NpgsqlDataSource source) =>
                {
                    await using var connection = await source.OpenConnectionAsync();
                    await connection.QueryAsync<int>(Slow);
                });
                app.MapGet("/ef-async", async (Store store) => await store.Database.SqlQueryRaw<int>(Slow).ToListAsync());
            },
            environment,
            builder =>
            {
                builder.Services.AddSingleton(NpgsqlDataSource.Create(postgres.ConnectionString));
                builder.Services.AddDbContext<Store>(
                    (provider, options) => options.UseNpgsql(provider.GetRequiredService<NpgsqlDataSource>()));
            });

    private static class Queries
    {
        public static void Npgsql(NpgsqlDataSource source)
        {
            using var command = source.CreateCommand(Slow);
            command.ExecuteScalar();
        }

        public static void Dapper(NpgsqlDataSource source)
        {
            using var connection = source.OpenConnection();
            connection.Query<int>(Slow);
        }

        public static int EntityFramework(Store store) => store.Database.SqlQueryRaw<int>(Slow).ToList().Count;

        public static void SaveChanges(Store store)
        {
            store.Database.ExecuteSqlRaw(
                """
                create table if not exists "Items" ("Id" int primary key);
                create or replace function slow() returns trigger as $$ begin perform pg_sleep(0.06); return new; end $$ language plpgsql;
                create or replace trigger slowly before insert on "Items" for each row execute function slow();
                delete from "Items";
                """);
            store.Add(new Item { Id = 1 });
            store.SaveChanges();
        }
    }

    private sealed class Item
    {
        public int Id { get; set; }
    }

    private sealed class Store(DbContextOptions<Store> options) : DbContext(options)
    {
        public DbSet<Item> Items => Set<Item>();
    }
}
