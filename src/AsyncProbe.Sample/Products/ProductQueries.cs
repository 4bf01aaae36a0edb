namespace AsyncProbe.Sample.Products;

/// <summary>The query that both controllers use.</summary>
internal static class ProductQueries
{
    public static IQueryable<Product> In(this IQueryable<Product> products, ProductCategory category) =>
        products.Where(p => category == ProductCategory.All || p.Category == category).OrderBy(p => p.Id);
}
