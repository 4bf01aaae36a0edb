using System.Globalization;
using Bookshop.Services;
using Microsoft.AspNetCore.Mvc;

namespace Bookshop.Controllers;

/// <summary>The container makes the basket, and the basket's constructor waits.</summary>
public sealed class BasketController(Basket basket) : ShopController
{
    public IActionResult Summary() => Content(basket.Items.ToString(CultureInfo.InvariantCulture));
}
