using System.Globalization;

namespace AsyncProbe.Sample.Sins;

/// <summary>Blocking in unexpected places: around the endpoint instead of inside it.</summary>
internal static class PlaceSins
{
    private const string InMiddleware = "/sins/in-middleware";

    public static void Map(SinGroup sins, WebApplication app)
    {
        List(sins, InMiddleware, "in a middleware");
        app.MapGet(InMiddleware, Done).WithTags("Sins");

        const string inFilter = "/sins/in-filter";
        List(sins, inFilter, "in an endpoint filter");
        app.MapGet(inFilter, Done).WithTags("Sins").AddEndpointFilter((context, next) =>
        {
            WaitInFilter(Ms(context.HttpContext));
            return next(context);
        });

        const string inFactory = "/sins/in-factory";
        List(sins, inFactory, "in the factory of a service");
        app.MapGet(inFactory, (SlowlyMade made) => Results.Ok(made)).WithTags("Sins");

        const string inBinder = "/sins/in-binder";
        List(sins, inBinder, "while a parameter is bound");
        app.MapGet(inBinder, (SlowlyBound bound) => Results.Ok(bound)).WithTags("Sins");

        const string inOnStarting = "/sins/in-on-starting";
        List(sins, inOnStarting, "in Response.OnStarting");
        app.MapGet(inOnStarting, (HttpContext context) =>
        {
            var ms = Ms(context);
            context.Response.OnStarting(() =>
            {
                WaitOnStarting(ms);
                return Task.CompletedTask;
            });
            return Done();
        }).WithTags("Sins");

        const string inErrorHandler = "/sins/in-error-handler";
        List(sins, inErrorHandler, "in an exception handler; the answer is a 418");
        app.MapGet(inErrorHandler, IResult (HttpContext context) => throw new SinException(Ms(context))).WithTags("Sins");
    }

    /// <summary>Blocks before the endpoint, on only one route. It isn't on the stack of any other request.</summary>
    public static void UseSinfulMiddleware(this WebApplication app) => app.UseWhen(
        context => context.Request.Path.Equals(InMiddleware, StringComparison.OrdinalIgnoreCase),
        branch => branch.Use((context, next) =>
        {
            WaitInMiddleware(Ms(context));
            return next(context);
        }));

    public static int Ms(HttpContext context) =>
        SinQuery.TryRead(context.Request.Query["ms"], position: null, out var ms, out _, out _)
            ? ms
            : throw new BadHttpRequestException(string.Create(
                CultureInfo.InvariantCulture, $"ms is '{context.Request.Query["ms"]}'. Give whole milliseconds from 0 to 10000."));

    private static void List(SinGroup sins, string route, string where) =>
        sins.List(new Sin(route, $"Task.Delay(ms).Wait() {where}", "Task.Wait", "hook", IsReported: true, Needs: null));

    private static IResult Done() => Results.Ok("done");

    private static int WaitInMiddleware(int ms)
    {
        Task.Delay(ms).Wait();
        return ms;
    }

    private static int WaitInFilter(int ms)
    {
        Task.Delay(ms).Wait();
        return ms;
    }

    private static int WaitOnStarting(int ms)
    {
        Task.Delay(ms).Wait();
        return ms;
    }
}
