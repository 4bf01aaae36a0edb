using Microsoft.AspNetCore.Mvc;
using Microsoft.AspNetCore.Mvc.Filters;

namespace Bookshop.Controllers;

/// <summary>The base class of all controllers. It only passes calls on.</summary>
public abstract class ShopController : Controller
{
    public override async Task OnActionExecutionAsync(ActionExecutingContext context, ActionExecutionDelegate next)
    {
        ViewData["Section"] = context.ActionDescriptor.DisplayName;
        await next();
    }
}
