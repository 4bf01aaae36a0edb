using static AsyncProbe.Truth.Tests.Generator.ShapeCode;

namespace AsyncProbe.Truth.Tests.Generator;

/// <summary>Code that runs before or after the handler.</summary>
internal static class FlowShapes
{
    public static IReadOnlyList<Shape> All { get; } =
    [
        new("an iterator that the response is written from", "$N.Lines", Class(
            """
            public static void Map(WebApplication app) => app.MapGet("$ROUTE", Lines);
            private static IEnumerable<string> Lines()
            {
            $BODY
            yield return "ok";
            }
            $MEMBERS
            """)) { MayAwait = false, IsAfterHeaders = true },
        new("an argument's BindAsync", "$NArgument.BindAsync", Class(
            "public static void Map(WebApplication app) => app.MapGet(\"$ROUTE\", ($NArgument argument) => \"ok\");")
            + """

            public sealed class $NArgument
            {
            public static async ValueTask<$NArgument?> BindAsync(HttpContext context)
            {
            $BODY
            await Task.CompletedTask;
            return new $NArgument();
            }
            $MEMBERS
            }
            """),
        new("work that continues after the response", "$N.Background", Class(
            """
            public static void Map(WebApplication app) => app.MapGet("$ROUTE", () =>
            {
            _ = Background();
            return "ok";
            });
            private static async Task Background()
            {
            await Task.Delay(30);
            $BODY
            }
            $MEMBERS
            """)) { IsAfterHeaders = true, IsAfterResponse = true, Awaits = 0 },
    ];
}
