using Bookshop.Filters;
using Bookshop.Services;
using Microsoft.AspNetCore.Mvc;

namespace Bookshop.Controllers;

public sealed class BooksController(Recommender recommender) : ShopController
{
    public IActionResult Details(int id)
    {
        recommender.ForAsync(id).Wait(); // blocks: details
        return Content("A book");
    }

    public async Task<IActionResult> DetailsAwaited(int id)
    {
        await recommender.ForAsync(id);
        return Content("A book");
    }

    public IActionResult Sleepy()
    {
        Thread.Sleep(15); // blocks: sleepy
        return Content("A book");
    }

    /// <summary>The partial view blocks, not the layout around it.</summary>
    public IActionResult Recommended() => View();

    /// <summary>The view component blocks.</summary>
    public IActionResult WithBasket() => View();

    public IActionResult Index() => View(Enumerable.Range(1, 40).Select(i => $"Book {i}").ToArray());

    public IActionResult Popularity()
    {
        var sum = 17u;
        for (var i = 0; i < 12_000_000; i++)
        {
            sum = (sum * 31) ^ (uint)i;
        }

        return Content(sum.ToString(System.Globalization.CultureInfo.InvariantCulture));
    }

    [ServiceFilter<SlowPermissionFilter>]
    public IActionResult Filtered() => Content("Permitted");

    [ServiceFilter<TrackingResultFilter>]
    public async Task<IActionResult> Tracked()
    {
        await Task.Yield();
        return Content("Tracked");
    }
}
