using Microsoft.AspNetCore.Mvc;
using Microsoft.EntityFrameworkCore;

namespace AsyncProbe.Sample.Products;

/// <summary>The catalogue, read while holding the thread.</summary>
[ApiController]
[Route("[controller]")]
public sealed class SyncProductController(ProductContext products) : ControllerBase
{
    /// <summary>The articles of a category; the query takes 400 ms.</summary>
    /// <param name="category">all, boots, equip or kayak.</param>
    [HttpGet]
    public IReadOnlyList<Product> List(ProductCategory category = ProductCategory.All)
    {
        QueryTime.Pass(products, QueryTime.List);
        return products.Products.AsNoTracking().In(category).ToList();
    }

    /// <summary>One article; the query takes 50 ms.</summary>
    /// <param name="id">Its number, from 1 to 12.</param>
    [HttpGet("{id}")]
    [ProducesResponseType<Product>(StatusCodes.Status200OK)]
    [ProducesResponseType<ProblemDetails>(StatusCodes.Status404NotFound)]
    public ActionResult<Product> One(int id)
    {
        QueryTime.Pass(products, QueryTime.One);
        return products.Products.AsNoTracking().SingleOrDefault(p => p.Id == id) is { } product ? product : NotFound();
    }
}
