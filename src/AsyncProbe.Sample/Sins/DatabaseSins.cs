using AsyncProbe.Sample.Database;
using AsyncProbe.Sample.Products;
using Dapper;
using Microsoft.EntityFrameworkCore;
using Npgsql;

namespace AsyncProbe.Sample.Sins;

/// <summary>Waits for a database. Without PostgreSQL, the routes that need it answer 503.</summary>
internal static class DatabaseSins
{
    private const string Sleep = "select pg_sleep(@seconds)";
    private const string SlowList = "with pause as materialized (select pg_sleep({0})) select p.* from pause, asyncprobe_products p";

    public static Task Query(HttpContext context, int ms)
    {
        using var connection = Postgres(context).OpenConnection();
        connection.Execute(Sleep, new { seconds = ms / 1000.0 });
        return Task.CompletedTask;
    }

    public static async Task QueryAsync(HttpContext context, int ms)
    {
        await using var connection = await Postgres(context).OpenConnectionAsync(context.RequestAborted);
        await connection.ExecuteAsync(Sleep, new { seconds = ms / 1000.0 });
    }

    public static Task ToList(HttpContext context, int ms)
    {
        var products = Slow(context, ms).ToList();
        return Task.FromResult(products);
    }

    public static Task ToListAsync(HttpContext context, int ms) => Slow(context, ms).ToListAsync(context.RequestAborted);

    // Another transaction holds the row for that time.
    public static async Task SaveChanges(HttpContext context, int ms)
    {
        _ = Postgres(context);
        var products = context.RequestServices.GetRequiredService<ProductContext>();
        var product = await products.Products.FirstAsync(p => p.Id == 1, context.RequestAborted);
        var other = await RowLock.TakeAsync(context, ms);
        product.Price += 0.01m;
        products.SaveChanges();
        await other;
    }

    /// <summary>
    /// The same code with both databases while another writer holds what it needs. With PostgreSQL that is the row, and the thread is free
    /// in the meantime. With SQLite it is the file, and the provider sleeps on the calling thread until it can try again.
    /// </summary>
    public static async Task SaveChangesAsync(HttpContext context, int ms)
    {
        var products = context.RequestServices.GetRequiredService<ProductContext>();
        var product = await products.Products.FirstAsync(p => p.Id == 1, context.RequestAborted);
        var other = products.Database.IsNpgsql() ? await RowLock.TakeAsync(context, ms) : FileLock.Take(context, ms);
        product.Price += 0.01m;
        await products.SaveChangesAsync(context.RequestAborted);
        await other;
    }

    // The context already has the entity, so there is no query.
    public static async Task FindTracked(HttpContext context, int ms)
    {
        _ = Postgres(context);
        var products = context.RequestServices.GetRequiredService<ProductContext>();
        await products.Products.FindAsync([1], context.RequestAborted);
        _ = products.Products.Find(1);
    }

    private static IQueryable<Product> Slow(HttpContext context, int ms)
    {
        _ = Postgres(context);
        return context.RequestServices.GetRequiredService<ProductContext>().Products.FromSqlRaw(SlowList, ms / 1000.0).AsNoTracking();
    }

    private static NpgsqlDataSource Postgres(HttpContext context) =>
        context.RequestServices.GetRequiredService<SampleDatabase>().Postgres
        ?? throw new HttpRequestException("This route needs PostgreSQL: set ConnectionStrings:Postgres.");
}
