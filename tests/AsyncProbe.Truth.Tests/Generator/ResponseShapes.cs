using static AsyncProbe.Truth.Tests.Generator.ShapeCode;

namespace AsyncProbe.Truth.Tests.Generator;

/// <summary>Code that belongs to the response.</summary>
internal static class ResponseShapes
{
    public static IReadOnlyList<Shape> All { get; } =
    [
        new("an object registered for disposal", "$NThing.Dispose", Class(
            """
            public static void Map(WebApplication app) => app.MapGet("$ROUTE", (HttpContext context) =>
            {
            context.Response.RegisterForDispose(new $NThing());
            return "ok";
            });
            """) + """

            public sealed class $NThing : IDisposable
            {
            public void Dispose()
            {
            $BODY
            }
            $MEMBERS
            }
            """) { MayAwait = false, IsAfterPipeline = true, IsAfterHeaders = true },
        new("Response.OnCompleted", "$N.Completed", Class(
            """
            public static void Map(WebApplication app) => app.MapGet("$ROUTE", (HttpContext context) =>
            {
            context.Response.OnCompleted(Completed);
            return "ok";
            });
            private static async Task Completed()
            {
            $BODY
            await Task.CompletedTask;
            }
            $MEMBERS
            """)) { IsAfterPipeline = true, IsAfterHeaders = true },
        new("Response.OnStarting", "$N.Starting", Class(
            """
            public static void Map(WebApplication app) => app.MapGet("$ROUTE", (HttpContext context) =>
            {
            context.Response.OnStarting(Starting);
            return "ok";
            });
            private static async Task Starting()
            {
            $BODY
            await Task.CompletedTask;
            }
            $MEMBERS
            """)) { IsAfterHeaders = true },
        new("a custom result", "$NResult.ExecuteAsync",
            Class("public static void Map(WebApplication app) => app.MapGet(\"$ROUTE\", () => new $NResult());")
            + """

            public sealed class $NResult : IResult
            {
            public async Task ExecuteAsync(HttpContext context)
            {
            $BODY
            await context.Response.WriteAsync("ok");
            }
            $MEMBERS
            }
            """),
    ];
}
