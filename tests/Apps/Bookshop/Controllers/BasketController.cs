using System.Globalization;
using Bookshop.Services;
using Microsoft.AspNetCore.Mvc;

namespace Bookshop.Controllers;

/// <summary>The container creates the basket, whose constructor blocks.</summary>
public sealed class BasketController(Basket basket) : ShopController
{
    public IActionResult Summary() => Content(basket.Items.ToString(CultureInfo.InvariantCulture));
}
