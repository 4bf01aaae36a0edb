using Microsoft.AspNetCore.Diagnostics;

namespace AsyncProbe.Sample.Sins;

/// <summary>A service whose factory blocks.</summary>
internal sealed record SlowlyMade(int Ms)
{
    public static SlowlyMade Make(IServiceProvider services)
    {
        var ms = PlaceSins.Ms(services.GetRequiredService<IHttpContextAccessor>().HttpContext!);
        Task.Delay(ms).Wait();
        return new SlowlyMade(ms);
    }
}

/// <summary>A parameter whose binding blocks.</summary>
internal sealed record SlowlyBound(int Ms)
{
    public static ValueTask<SlowlyBound?> BindAsync(HttpContext context)
    {
        var ms = PlaceSins.Ms(context);
        Task.Delay(ms).Wait();
        return ValueTask.FromResult<SlowlyBound?>(new SlowlyBound(ms));
    }
}

/// <summary>Triggers the exception handler that blocks.</summary>
internal sealed class SinException(int ms) : Exception($"handled after {ms} ms")
{
    public int Ms { get; } = ms;
}

/// <summary>An exception handler that blocks.</summary>
internal sealed class SlowErrorHandler : IExceptionHandler
{
    public async ValueTask<bool> TryHandleAsync(HttpContext httpContext, Exception exception, CancellationToken cancellationToken)
    {
        if (exception is not SinException sin)
        {
            return false;
        }

        Task.Delay(sin.Ms, cancellationToken).Wait(cancellationToken);
        await Results.Problem(sin.Message, statusCode: StatusCodes.Status418ImATeapot).ExecuteAsync(httpContext);
        return true;
    }
}

/// <summary>Registers them.</summary>
internal static class SlowPlaces
{
    public static void AddSins(this IServiceCollection services)
    {
        services.AddHttpContextAccessor();
        services.AddTransient(SlowlyMade.Make);
        services.AddExceptionHandler<SlowErrorHandler>();
    }
}
