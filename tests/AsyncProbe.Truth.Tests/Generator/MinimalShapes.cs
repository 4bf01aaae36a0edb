using static AsyncProbe.Truth.Tests.Generator.ShapeCode;

namespace AsyncProbe.Truth.Tests.Generator;

/// <summary>Handlers of minimal APIs.</summary>
internal static class MinimalShapes
{
    public static IReadOnlyList<Shape> All { get; } =
    [
        new("a method of a minimal API", "$N.Handle", Class($"{MapHandle}\n{Handle}\n$MEMBERS")),
        new("a lambda of a minimal API", "$N.Map", Class(
            """
            public static void Map(WebApplication app) => app.MapGet("$ROUTE", $ASYNC() =>
            {
            $BODY
            return "ok";
            });
            $MEMBERS
            """)),
        new("a local function", "$N.Map.Local", Class(
            """
            public static void Map(WebApplication app)
            {
            app.MapGet("$ROUTE", Local);
            static $ASYNC$RETURNS Local()
            {
            $BODY
            return "ok";
            }
            }
            $MEMBERS
            """)),
        new("a request delegate", "$N.Map", Class(
            """
            public static void Map(WebApplication app) => app.MapGet("$ROUTE", (RequestDelegate)(async context =>
            {
            $BODY
            await context.Response.WriteAsync("ok");
            }));
            $MEMBERS
            """)),
    ];
}
