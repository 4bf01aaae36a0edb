using Microsoft.EntityFrameworkCore;

namespace Zoo.Data;

internal static class EfCoreInMemory
{
    private static readonly DbContextOptions<Goods> s_options = new DbContextOptionsBuilder<Goods>().UseInMemoryDatabase("zoo").Options;

    public static void Map(IEndpointRouteBuilder app)
    {
        // truth: GET /efcore/inmemory: fine|cpuBound
        app.MapGet("/efcore/inmemory", () =>
        {
            using var db = new Goods(s_options);
            return db.All.Where(g => g.Stock > 0).ToList().Count; // blocks: EfCore, perhaps
        });
    }

    private sealed class Goods(DbContextOptions<Goods> options) : DbContext(options)
    {
        public DbSet<Good> All => Set<Good>();
    }

    private sealed class Good
    {
        public int Id { get; set; }

        public int Stock { get; set; }
    }
}
