using Bookshop.Services;
using Microsoft.AspNetCore.Mvc;

namespace Bookshop.Controllers;

public sealed class OrdersController(Stock stock) : ShopController
{
    /// <summary>Only one request at a time gets through the till.</summary>
    [HttpPost]
    public IActionResult Pay()
    {
        stock.Take(); // blocks: till-caller
        return Content("Paid");
    }

    [HttpPost]
    public async Task<IActionResult> Reserve()
    {
        await stock.ReserveAsync();
        return Content("Reserved");
    }

    [HttpPost]
    public IActionResult ReserveNow()
    {
        stock.Reserve(); // blocks: shelf-caller
        return Content("Reserved");
    }

    /// <summary>The model binder blocks before the action runs.</summary>
    public IActionResult Find([ModelBinder<OrderBinder>] Order order) => Content(order.Number);
}
