using Microsoft.AspNetCore.Mvc.Filters;

namespace Bookshop.Filters;

/// <summary>Wraps every action and is never to blame.</summary>
internal sealed class TimingFilter : IAsyncActionFilter
{
    public async Task OnActionExecutionAsync(ActionExecutingContext context, ActionExecutionDelegate next)
    {
        var started = TimeProvider.System.GetTimestamp();
        await next();
        context.HttpContext.Items["elapsed"] = TimeProvider.System.GetElapsedTime(started);
    }
}
