using System.Text.Json.Serialization;

namespace AsyncProbe.Sample.Products;

/// <summary>The categories to ask for.</summary>
[JsonConverter(typeof(JsonStringEnumConverter<ProductCategory>))]
public enum ProductCategory
{
    /// <summary>Everything.</summary>
    All,

    /// <summary>Boots.</summary>
    Boots,

    /// <summary>Equipment.</summary>
    Equip,

    /// <summary>Kayaks.</summary>
    Kayak,
}
