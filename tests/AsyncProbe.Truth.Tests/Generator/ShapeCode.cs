namespace AsyncProbe.Truth.Tests.Generator;

/// <summary>Source code that several shapes share.</summary>
internal static class ShapeCode
{
    public const string MapHandle = "public static void Map(WebApplication app) => app.MapGet(\"$ROUTE\", Handle);";

    public const string Handle =
        """
        private static $ASYNC$RETURNS Handle()
        {
        $BODY
        return "ok";
        }
        """;

    public const string GetAction =
        """
        [HttpGet]
        public $ASYNC$RETURNS Get()
        {
        $BODY
        return "ok";
        }
        """;

    public static string Class(string members) => $"internal static class $N\n{{\n{members}\n}}\n";

    public static string Controller(string baseClass, string action) =>
        $"[Route(\"$ROUTE\")]\npublic sealed class $NController : {baseClass}\n{{\n{action}\n$MEMBERS\n}}\n";
}
