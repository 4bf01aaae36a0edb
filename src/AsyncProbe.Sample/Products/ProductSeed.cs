namespace AsyncProbe.Sample.Products;

/// <summary>The catalogue.</summary>
internal static class ProductSeed
{
    public static IEnumerable<Product> All =>
    [
        Article(1, "Trailblazer", ProductCategory.Boots, 69.99m),
        Article(2, "Coastliner", ProductCategory.Boots, 49.99m),
        Article(3, "Woodsman", ProductCategory.Boots, 64.99m),
        Article(4, "Billy", ProductCategory.Boots, 79.99m),
        Article(5, "Raptor tent", ProductCategory.Equip, 219.00m),
        Article(6, "Sleeping bag", ProductCategory.Equip, 119.50m),
        Article(7, "Head lamp", ProductCategory.Equip, 24.95m),
        Article(8, "Stove", ProductCategory.Equip, 59.00m),
        Article(9, "Tidal 14", ProductCategory.Kayak, 899.00m),
        Article(10, "Otter 10", ProductCategory.Kayak, 549.00m),
        Article(11, "Fjord 16", ProductCategory.Kayak, 1299.00m),
        Article(12, "River 9", ProductCategory.Kayak, 479.00m),
    ];

    private static Product Article(int id, string name, ProductCategory category, decimal price) =>
        new() { Id = id, Name = name, Category = category, Price = price };
}
