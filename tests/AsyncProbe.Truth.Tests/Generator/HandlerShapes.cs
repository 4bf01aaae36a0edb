using static AsyncProbe.Truth.Tests.Generator.ShapeCode;

namespace AsyncProbe.Truth.Tests.Generator;

/// <summary>Waits in catch and finally blocks, for which a stack shows the method that contains them.</summary>
internal static class HandlerShapes
{
    public static IReadOnlyList<Shape> All { get; } =
    [
        new("a finally block", "$N.Handle", Guarded(
            """
            GC.KeepAlive("tried");
            }
            finally
            {
            $BODY
            }
            """)),
        new("a catch block", "$N.Handle", Guarded(
            """
            throw new InvalidOperationException("expected");
            }
            catch (InvalidOperationException)
            {
            $BODY
            }
            """)),
        new("a catch block for an exception from a call", "$N.Handle", Guarded(
            """
            GC.KeepAlive(int.Parse("none"));
            }
            catch (FormatException)
            {
            $BODY
            }
            """)),
    ];

    private static string Guarded(string rest) => Class(
        """
        public static void Map(WebApplication app) => app.MapGet("$ROUTE", Handle);
        private static $ASYNC$RETURNS Handle()
        {
        GC.KeepAlive("begun");
        try
        {

        """ + rest + """

        return "ok";
        }
        $MEMBERS
        """);
}
