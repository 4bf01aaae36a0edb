using Microsoft.EntityFrameworkCore;

namespace AsyncProbe.Peers;

internal sealed class Shop(DbContextOptions<Shop> options) : DbContext(options)
{
    public DbSet<Product> Products => Set<Product>();
}
