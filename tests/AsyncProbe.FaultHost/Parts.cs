using Microsoft.AspNetCore.Mvc;

namespace AsyncProbe.FaultHost;

/// <summary>Small methods that the framework calls besides the endpoint's own. Optimised code inlines them into the framework's.</summary>
public static class Parts
{
    // The container compiles the code that creates an object after two calls.
    private const int Times = 4;
    public const int ShortMs = 20;

    public static void Construct(HttpContext context)
    {
        for (var i = 0; i < Times; i++)
        {
            context.RequestServices.GetRequiredService<Constructed>();
        }
    }

    public sealed class Constructed
    {
        public Constructed() => Task.Delay(ShortMs).Wait();
    }

    public sealed class Bound
    {
        public Bound() => Task.Delay(ShortMs).Wait();

        public string? Name { get; set; }
    }
}

public sealed class WaitingViewComponent : ViewComponent
{
    public string Invoke()
    {
        Task.Delay(Parts.ShortMs).Wait();
        return "waited";
    }
}

/// <summary>Actions with parts that wait.</summary>
public sealed class PartsController : Controller
{
    [HttpGet("/parts/bound")]
    public string Binds(Parts.Bound bound) => bound.Name!;

    [HttpGet("/parts/component")]
    public IActionResult Renders() => ViewComponent("Waiting");
}
