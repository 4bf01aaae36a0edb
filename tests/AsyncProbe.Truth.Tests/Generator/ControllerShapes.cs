using static AsyncProbe.Truth.Tests.Generator.ShapeCode;

namespace AsyncProbe.Truth.Tests.Generator;

/// <summary>Actions, and the code between them and the framework.</summary>
internal static class ControllerShapes
{
    public static IReadOnlyList<Shape> All { get; } =
    [
        new("an action", "$NController.Get", Controller("ControllerBase", GetAction)),
        new("an action of a Controller", "$NController.Get", Controller("Controller", GetAction)),
        new("an action with a custom async filter", "$NController.Get",
            """
            public sealed class $NFilterAttribute : ActionFilterAttribute
            {
            public override async Task OnActionExecutionAsync(ActionExecutingContext context, ActionExecutionDelegate next)
            {
            await next();
            }
            }

            [$NFilter]
            """ + "\n" + Controller("ControllerBase", GetAction)),
        new("an override that a base class's action calls", "$NController.Work",
            """
            public abstract class $NBase : ControllerBase
            {
            [HttpGet]
            public $RETURNS Get() => Work();
            protected abstract $RETURNS Work();
            }

            """ + Controller("$NBase", "protected override $ASYNC$RETURNS Work()\n{\n$BODY\nreturn \"ok\";\n}")),
        new("a base class's action", "$NBase.Get",
            $$"""
            public abstract class $NBase : ControllerBase
            {
            {{GetAction}}
            $MEMBERS
            }

            [Route("$ROUTE")]
            public sealed class $NController : $NBase;
            """),
    ];
}
