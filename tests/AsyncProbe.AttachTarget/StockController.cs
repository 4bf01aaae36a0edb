using Microsoft.AspNetCore.Mvc;

namespace Shop;

[ApiController]
public sealed class StockController : ControllerBase
{
    [HttpGet("/controller")]
    public string Read()
    {
        Waits.Load(30).GetAwaiter().GetResult(); // blocks: /controller
        return "controller";
    }
}
