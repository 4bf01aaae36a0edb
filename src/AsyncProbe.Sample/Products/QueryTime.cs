using Microsoft.EntityFrameworkCore;

namespace AsyncProbe.Sample.Products;

/// <summary>
/// The time that a query would take in a real catalogue: <c>pg_sleep</c> in PostgreSQL. SQLite has no such function and works on the
/// calling thread, so the code sleeps, or awaits a delay, for the same time in addition to the query.
/// </summary>
internal static class QueryTime
{
    public static readonly TimeSpan List = TimeSpan.FromMilliseconds(400);
    public static readonly TimeSpan One = TimeSpan.FromMilliseconds(50);

    public static void Pass(ProductContext products, TimeSpan time)
    {
        if (products.Database.IsNpgsql())
        {
            products.Database.ExecuteSql($"select pg_sleep({time.TotalSeconds})");
        }
        else
        {
            Thread.Sleep(time);
        }
    }

    public static Task PassAsync(ProductContext products, TimeSpan time, CancellationToken cancellation) =>
        products.Database.IsNpgsql()
            ? products.Database.ExecuteSqlAsync($"select pg_sleep({time.TotalSeconds})", cancellation)
            : Task.Delay(time, cancellation);
}
