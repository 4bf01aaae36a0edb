using Microsoft.AspNetCore.Mvc;

namespace Bookshop.Services;

public sealed class BasketViewComponent(Recommender recommender) : ViewComponent
{
    public IViewComponentResult Invoke()
    {
        var first = recommender.ForAsync(1).Result; // blocks: component
        return View("Default", first[0]);
    }
}
