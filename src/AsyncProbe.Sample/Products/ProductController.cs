using Microsoft.AspNetCore.Mvc;
using Microsoft.EntityFrameworkCore;

namespace AsyncProbe.Sample.Products;

/// <summary>The catalogue, read with awaits.</summary>
[ApiController]
[Route("[controller]")]
public sealed class ProductController(ProductContext products, LongRead longRead) : ControllerBase
{
    /// <summary>The articles of a category; the query takes 400 ms.</summary>
    /// <param name="category">all, boots, equip or kayak.</param>
    /// <param name="cancellationToken">Cancelled when the client disconnects.</param>
    [HttpGet]
    public async Task<IReadOnlyList<Product>> List(
        ProductCategory category = ProductCategory.All, CancellationToken cancellationToken = default)
    {
        await QueryTime.PassAsync(products, QueryTime.List, cancellationToken);
        return await products.Products.AsNoTracking().In(category).ToListAsync(cancellationToken);
    }

    /// <summary>One article; the query takes 50 ms.</summary>
    /// <param name="id">Its number, from 1 to 12.</param>
    /// <param name="cancellationToken">Cancelled when the client disconnects.</param>
    [HttpGet("{id}")]
    [ProducesResponseType<Product>(StatusCodes.Status200OK)]
    [ProducesResponseType<ProblemDetails>(StatusCodes.Status404NotFound)]
    public async Task<ActionResult<Product>> One(int id, CancellationToken cancellationToken)
    {
        await QueryTime.PassAsync(products, QueryTime.One, cancellationToken);
        return await products.Products.AsNoTracking().SingleOrDefaultAsync(p => p.Id == id, cancellationToken) is { } product
            ? product
            : NotFound();
    }

    /// <summary>Reads the catalogue 200 times, which takes about 10 s, and stops when the client disconnects.</summary>
    /// <param name="cancellationToken">Cancelled when the client disconnects.</param>
    [HttpGet("longread")]
    public async Task<ActionResult<LongReadResult>> LongRead(CancellationToken cancellationToken) =>
        await longRead.ReadAsync(cancellationToken) is { } result ? result : StatusCode(StatusCodes.Status499ClientClosedRequest);
}
