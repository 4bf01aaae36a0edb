using static AsyncProbe.Truth.Tests.Generator.ShapeCode;

namespace AsyncProbe.Truth.Tests.Generator;

/// <summary>Methods that a handler calls.</summary>
internal static class CalledShapes
{
    public static IReadOnlyList<Shape> All { get; } =
    [
        new("a method two calls below the handler", "$NHelper.Deeper", Class(
            $$"""
            {{MapHandle}}
            private static $RETURNS Handle() => $NHelper.Deep();
            """) + """

            internal static class $NHelper
            {
            [System.Runtime.CompilerServices.MethodImpl(System.Runtime.CompilerServices.MethodImplOptions.NoInlining)]
            public static $RETURNS Deep() => Deeper();
            [System.Runtime.CompilerServices.MethodImpl(System.Runtime.CompilerServices.MethodImplOptions.NoInlining)]
            private static $ASYNC$RETURNS Deeper()
            {
            $BODY
            return "ok";
            }
            $MEMBERS
            }
            """),
        new("a generic method of a generic class", "$NGeneric.Work", Class(
            $$"""
            {{MapHandle}}
            private static $RETURNS Handle() => $NGeneric<string>.Work<int>();
            """) + """

            internal static class $NGeneric<T>
            {
            [System.Runtime.CompilerServices.MethodImpl(System.Runtime.CompilerServices.MethodImplOptions.NoInlining)]
            public static $ASYNC$RETURNS Work<TOther>()
            {
            $BODY
            return "ok";
            }
            $MEMBERS
            }
            """),
        new("a service behind an interface", "$NService.Work", Class(
            """
            public static void AddServices(IServiceCollection services) => services.AddSingleton<I$NService, $NService>();
            public static void Map(WebApplication app) => app.MapGet("$ROUTE", (I$NService service) => service.Work());
            """) + """

            public interface I$NService
            {
            $RETURNS Work();
            }
            public sealed class $NService : I$NService
            {
            [System.Runtime.CompilerServices.MethodImpl(System.Runtime.CompilerServices.MethodImplOptions.NoInlining)]
            public $ASYNC$RETURNS Work()
            {
            $BODY
            return "ok";
            }
            $MEMBERS
            }
            """),
    ];
}
