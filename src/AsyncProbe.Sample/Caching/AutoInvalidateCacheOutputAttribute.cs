using Microsoft.AspNetCore.Mvc.Controllers;
using Microsoft.AspNetCore.Mvc.Filters;
using Microsoft.AspNetCore.OutputCaching;

namespace AsyncProbe.Sample.Caching;

/// <summary>Deletes all stored answers of a controller whenever one of its POST, PUT, PATCH or DELETE actions succeeds.</summary>
[AttributeUsage(AttributeTargets.Class)]
public sealed class AutoInvalidateCacheOutputAttribute : Attribute, IAsyncActionFilter
{
    /// <inheritdoc />
    public async Task OnActionExecutionAsync(ActionExecutingContext context, ActionExecutionDelegate next)
    {
        ArgumentNullException.ThrowIfNull(context);
        ArgumentNullException.ThrowIfNull(next);
        var executed = await next();
        if (executed.Exception is null
            && Changes(context.HttpContext.Request.Method)
            && ActionOutcome.IsSuccess(executed.Result, context.HttpContext))
        {
            var owner = ((ControllerActionDescriptor)context.ActionDescriptor).ControllerTypeInfo;
            var store = context.HttpContext.RequestServices.GetRequiredService<IOutputCacheStore>();
            await store.EvictByTagAsync(CacheTag.OfController(owner), context.HttpContext.RequestAborted);
        }
    }

    private static bool Changes(string method) =>
        HttpMethods.IsPost(method) || HttpMethods.IsPut(method) || HttpMethods.IsPatch(method) || HttpMethods.IsDelete(method);
}
