using System.Data.Common;
using AsyncProbe.Sample.Products;
using Microsoft.EntityFrameworkCore;

namespace AsyncProbe.Sample.Database;

/// <summary>
/// Fills the catalogue and opens connections in advance. The app starts even if PostgreSQL isn't available yet. Until it is, the
/// routes that need it answer 503.
/// </summary>
internal sealed partial class DatabaseSetup(
    IServiceScopeFactory scopes, SampleDatabase database, ILogger<DatabaseSetup> logger) : BackgroundService
{
    private const int WarmConnections = 32;
    private static readonly TimeSpan Pause = TimeSpan.FromSeconds(1);
    private bool _isDone;

    public override async Task StartAsync(CancellationToken cancellationToken)
    {
        await TryAsync(cancellationToken);
        await base.StartAsync(cancellationToken);
    }

    protected override async Task ExecuteAsync(CancellationToken stoppingToken)
    {
        while (!_isDone)
        {
            await Task.Delay(Pause, stoppingToken);
            await TryAsync(stoppingToken);
        }
    }

    private async Task TryAsync(CancellationToken cancellation)
    {
        try
        {
            await using var scope = scopes.CreateAsyncScope();
            await FillAsync(scope.ServiceProvider.GetRequiredService<ProductContext>(), cancellation);
            await Task.WhenAll(Enumerable.Range(0, WarmConnections).Select(_ => WarmAsync(cancellation)));
            _isDone = true;
            InUse(logger, database.Name);
        }
        catch (Exception e) when (e is DbException or DbUpdateException or InvalidOperationException { InnerException: DbException })
        {
            NotThere(logger, database.Name, e.GetBaseException().Message);
        }
    }

    private async Task FillAsync(ProductContext products, CancellationToken cancellation)
    {
        if (database.Postgres is not null)
        {
            // EnsureCreated would do nothing in a database that already has other tables.
            await products.Database.ExecuteSqlRawAsync(ProductContext.CreateTable, cancellation);
        }
        else
        {
            await products.Database.EnsureCreatedAsync(cancellation);
        }

        if (!await products.Products.AnyAsync(cancellation))
        {
            products.Products.AddRange(ProductSeed.All);
            await products.SaveChangesAsync(cancellation);
        }
    }

    private async Task WarmAsync(CancellationToken cancellation)
    {
        if (database.Postgres is { } postgres)
        {
            await using var command = postgres.CreateCommand("select pg_sleep(0.1)");
            await command.ExecuteNonQueryAsync(cancellation);
        }
    }

    [LoggerMessage(5, LogLevel.Information, "Database: {Name}.")]
    private static partial void InUse(ILogger logger, string name);

    [LoggerMessage(6, LogLevel.Warning, "{Name} does not answer yet ({Reason}); its routes answer 503 until it does.")]
    private static partial void NotThere(ILogger logger, string name, string reason);
}
