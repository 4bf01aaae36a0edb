using AsyncProbe.Sample.Hosting;
using AsyncProbe.Sample.Products;
using Microsoft.EntityFrameworkCore;
using Npgsql;

namespace AsyncProbe.Sample.Database;

/// <summary>Sets up PostgreSQL or SQLite.</summary>
internal static class DatabaseServices
{
    public static void AddDatabase(this WebApplicationBuilder builder)
    {
        var services = builder.Services;
        var postgres = builder.Configuration.GetConnectionString("Postgres") is { Length: > 0 } text ? Open(text) : null;

        // The container creates it and therefore disposes it, which deletes SQLite's file.
        services.AddSingleton(_ => new SampleDatabase(postgres));
        if (postgres is not null)
        {
            // Registered through a factory, so that the host disposes it.
            services.AddSingleton(_ => postgres);
        }

        services.AddDbContext<ProductContext>((provider, context) => _ = postgres is null
            ? context.UseSqlite(provider.GetRequiredService<SampleDatabase>().Sqlite)
            : context.UseNpgsql(postgres));
        services.AddHostedService<DatabaseSetup>();
    }

    private static NpgsqlDataSource Open(string text)
    {
        try
        {
            return NpgsqlDataSource.Create(text);
        }
        catch (ArgumentException e)
        {
            throw new SettingException(
                $"ConnectionStrings:Postgres cannot be read: {e.Message} Write it as 'Host=127.0.0.1;Username=…;Database=…', or leave it "
                    + "out.");
        }
    }
}
