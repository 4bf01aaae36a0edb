using static AsyncProbe.Truth.Tests.Generator.ShapeCode;

namespace AsyncProbe.Truth.Tests.Generator;

/// <summary>Filters and middleware, and handlers under them.</summary>
internal static class PipelineShapes
{
    public static IReadOnlyList<Shape> All { get; } =
    [
        new("a handler with a custom endpoint filter", "$N.Handle", Class(
            "public static void Map(WebApplication app) => app.MapGet(\"$ROUTE\", Handle).AddEndpointFilter(async (context, next) => "
                + "await next(context));\n"
            + Handle + "\n$MEMBERS")),
        new("an endpoint filter", "$NFilter.InvokeAsync", Class(
            "public static void Map(WebApplication app) => app.MapGet(\"$ROUTE\", () => \"ok\").AddEndpointFilter<$NFilter>();")
            + """

            public sealed class $NFilter : IEndpointFilter
            {
            public async ValueTask<object?> InvokeAsync(EndpointFilterInvocationContext context, EndpointFilterDelegate next)
            {
            $BODY
            return await next(context);
            }
            $MEMBERS
            }
            """),
        new("an action filter", "$NFilterAttribute.OnActionExecuting",
            """
            public sealed class $NFilterAttribute : ActionFilterAttribute
            {
            public override void OnActionExecuting(ActionExecutingContext context)
            {
            $BODY
            }
            $MEMBERS
            }

            [Route("$ROUTE"), $NFilter]
            public sealed class $NController : ControllerBase
            {
            [HttpGet]
            public string Get() => "ok";
            }
            """) { MayAwait = false },
        new("a custom middleware", "$N.Use", Class(
            """
            public static void Use(WebApplication app) => app.Use(async (context, next) =>
            {
            if (context.Request.Path == "$ROUTE")
            {
            $BODY
            }
            await next(context);
            });
            public static void Map(WebApplication app) => app.MapGet("$ROUTE", () => "ok");
            $MEMBERS
            """)),
        new("a handler behind a custom middleware class", "$N.Handle", Class(
            $"public static void Use(WebApplication app) => app.UseMiddleware<$NMiddleware>();\n{MapHandle}\n{Handle}\n$MEMBERS")
            + """

            public sealed class $NMiddleware(RequestDelegate next)
            {
            public async Task InvokeAsync(HttpContext context)
            {
            await next(context);
            }
            }
            """),
    ];
}
