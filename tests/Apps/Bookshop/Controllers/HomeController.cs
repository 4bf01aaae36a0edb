using Microsoft.AspNetCore.Mvc;
using Microsoft.AspNetCore.OutputCaching;

namespace Bookshop.Controllers;

public sealed class HomeController(ILogger<HomeController> logger) : ShopController
{
    public IActionResult Index()
    {
        logger.LogInformation("Showing the front page");
        return View();
    }

    public IActionResult Error() => StatusCode(StatusCodes.Status500InternalServerError, "Something went wrong.");

    public IActionResult Broken() => throw new InvalidOperationException("This page is broken.");

    [OutputCache(Duration = 600)]
    public async Task<IActionResult> Imprint()
    {
        await Task.Delay(5);
        return View();
    }
}
