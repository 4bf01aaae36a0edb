using Microsoft.EntityFrameworkCore;

namespace AsyncProbe.Sample.Products;

/// <summary>The catalogue in EF Core, over PostgreSQL or SQLite.</summary>
public sealed class ProductContext(DbContextOptions<ProductContext> options) : DbContext(options)
{
    internal const string CreateTable = """
        create table if not exists asyncprobe_products (
            "Id" integer primary key,
            "Name" text not null,
            "Category" text not null,
            "Price" numeric not null)
        """;

    /// <summary>The articles.</summary>
    public DbSet<Product> Products => Set<Product>();

    /// <inheritdoc />
    protected override void OnModelCreating(ModelBuilder modelBuilder)
    {
        ArgumentNullException.ThrowIfNull(modelBuilder);
        modelBuilder.Entity<Product>(product =>
        {
            product.ToTable("asyncprobe_products");
            product.Property(p => p.Id).ValueGeneratedNever();
            product.Property(p => p.Category).HasConversion<string>();
        });
    }
}
