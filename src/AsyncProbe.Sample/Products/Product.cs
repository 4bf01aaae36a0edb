namespace AsyncProbe.Sample.Products;

/// <summary>An article of the catalogue.</summary>
public sealed class Product
{
    /// <summary>Its number.</summary>
    public int Id { get; set; }

    /// <summary>Its name.</summary>
    public required string Name { get; set; }

    /// <summary>Its category.</summary>
    public ProductCategory Category { get; set; }

    /// <summary>Its price.</summary>
    public decimal Price { get; set; }
}
