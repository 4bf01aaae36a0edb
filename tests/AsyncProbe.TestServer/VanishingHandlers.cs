using System.Runtime.CompilerServices;
using Microsoft.AspNetCore.Mvc;
using Microsoft.AspNetCore.Mvc.Filters;

namespace AsyncProbe.TestServer;

/// <summary>A filter of the application's that only awaits what comes next.</summary>
[AttributeUsage(AttributeTargets.Method)]
public sealed class PassingFilterAttribute : Attribute, IAsyncActionFilter
{
    public async Task OnActionExecutionAsync(ActionExecutingContext context, ActionExecutionDelegate next) => await next();
}

/// <summary>A base class of the application's that only awaits what comes next.</summary>
public abstract class PassingController : Controller
{
    public override async Task OnActionExecutionAsync(ActionExecutingContext context, ActionExecutionDelegate next) => await next();
}

/// <summary>Small actions that vanish into the framework's call of them, below own code that stays on the stack.</summary>
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

/// <summary>Calls what its heirs do.</summary>
public abstract class LongTask
{
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public string Run(int ms) => Core(ms);

    protected abstract string Core(int ms);
}

/// <summary>Sleeps, and vanishes into whoever runs it.</summary>
public sealed class SleepingTask : LongTask
{
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    protected override string Core(int ms)
    {
        Thread.Sleep(ms);
        return "slept";
    }
}
