using Microsoft.AspNetCore.Mvc.Controllers;
using Microsoft.AspNetCore.Mvc.Filters;
using Microsoft.AspNetCore.OutputCaching;

namespace AsyncProbe.Sample.Caching;

/// <summary>Deletes the stored answers of another action when this one succeeds.</summary>
/// <param name="methodName">The other action's method; use <c>nameof</c>.</param>
/// <param name="controller">Its controller; by default, this action's own.</param>
[AttributeUsage(AttributeTargets.Method, AllowMultiple = true)]
public sealed class InvalidateCacheOutputAttribute(string methodName, Type? controller = null) : Attribute, IAsyncActionFilter
{
    /// <summary>The method whose answers are deleted.</summary>
    public string MethodName { get; } = methodName;

    /// <summary>The controller of that method; null for the action's own.</summary>
    public Type? Controller { get; } = controller;

    /// <inheritdoc />
    public async Task OnActionExecutionAsync(ActionExecutingContext context, ActionExecutionDelegate next)
    {
        ArgumentNullException.ThrowIfNull(context);
        ArgumentNullException.ThrowIfNull(next);
        var executed = await next();
        if (executed.Exception is null && ActionOutcome.IsSuccess(executed.Result, context.HttpContext))
        {
            // Do this before the answer leaves, so that a client that has read it never gets the old copy again.
            var owner = Controller ?? ((ControllerActionDescriptor)context.ActionDescriptor).ControllerTypeInfo;
            var store = context.HttpContext.RequestServices.GetRequiredService<IOutputCacheStore>();
            await store.EvictByTagAsync(CacheTag.OfAction(owner, MethodName), context.HttpContext.RequestAborted);
        }
    }
}
