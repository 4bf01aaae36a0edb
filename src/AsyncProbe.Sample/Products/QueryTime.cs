using Microsoft.EntityFrameworkCore;

namespace AsyncProbe.Sample.Products;

/// <summary>
/// The time that a query over a real catalogue would take: <c>pg_sleep</c> in PostgreSQL. SQLite has nothing like it and works on the
/// calling thread, so a sleep or a delay of the same length stands beside the query there.
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
