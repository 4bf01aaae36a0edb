using System.Runtime.CompilerServices;
using Microsoft.AspNetCore.Mvc;
using Microsoft.AspNetCore.Mvc.Filters;

namespace AsyncProbe.TestServer;

/// <summary>An application's filter that only awaits the next one.</summary>
[AttributeUsage(AttributeTargets.Method)]
public sealed class PassingFilterAttribute : Attribute, IAsyncActionFilter
{
    public async Task OnActionExecutionAsync(ActionExecutingContext context, ActionExecutionDelegate next) => await next();
}

/// <summary>An application's base class that only awaits the action.</summary>
public abstract class PassingController : Controller
{
    public override async Task OnActionExecutionAsync(ActionExecutingContext context, ActionExecutionDelegate next) => await next();
}

/// <summary>Small actions that are inlined into the framework's call to them, below application code that stays on the stack.</summary>
[Route("vanishing")]
public sealed class VanishingController : PassingController
{
    [HttpGet("based")]
    public string Based(int ms)
    {
        Thread.Sleep(ms);
        return "slept";
    }

    [HttpGet("filtered")]
    [PassingFilter]
    public string Filtered(int ms)
    {
        Thread.Sleep(ms);
        return "slept";
    }

    [HttpGet("deeper")]
    [PassingFilter]
    [MethodImpl(MethodImplOptions.AggressiveOptimization)]
    public string Deeper(int ms) => new SleepingTask().Run(ms);
}

/// <summary>Calls what its derived classes do.</summary>
public abstract class LongTask
{
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public string Run(int ms) => Core(ms);

    protected abstract string Core(int ms);
}

/// <summary>Sleeps, and is inlined into its caller.</summary>
public sealed class SleepingTask : LongTask
{
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    protected override string Core(int ms)
    {
        Thread.Sleep(ms);
        return "slept";
    }
}
