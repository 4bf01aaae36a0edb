namespace AsyncProbe.Truth.Tests.Generator;

/// <summary>Where code stands in ASP.NET Core applications.</summary>
internal static class Shapes
{
    private const string MapHandle = "public static void Map(WebApplication app) => app.MapGet(\"$ROUTE\", Handle);";

    private const string Handle =
        """
        private static $ASYNC$RETURNS Handle()
        {
        $BODY
        return "ok";
        }
        """;

    private const string Action =
        """
        [HttpGet]
        public $ASYNC$RETURNS Get()
        {
        $BODY
        return "ok";
        }
        """;

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
        new("an action", "$NController.Get", Controller("ControllerBase", Action)),
        new("an action of a Controller", "$NController.Get", Controller("Controller", Action)),
        new("an action under an own async filter", "$NController.Get",
            """
            public sealed class $NFilterAttribute : ActionFilterAttribute
            {
            public override async Task OnActionExecutionAsync(ActionExecutingContext context, ActionExecutionDelegate next)
            {
            await next();
            }
            }

            [$NFilter]
            """ + "\n" + Controller("ControllerBase", Action)),
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
            {{Action}}
            $MEMBERS
            }

            [Route("$ROUTE")]
            public sealed class $NController : $NBase;
            """),
        new("a handler under an own endpoint filter", "$N.Handle", Class(
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
        new("an own middleware", "$N.Use", Class(
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
        new("a handler under an own middleware class", "$N.Handle", Class(
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
        new("a factory of a scoped service", "$N.AddServices", Class(
            """
            public static void AddServices(IServiceCollection services) => services.AddScoped(provider =>
            {
            $BODY
            return new $NThing();
            });
            public static void Map(WebApplication app) => app.MapGet("$ROUTE", ($NThing thing) => "ok");
            $MEMBERS
            """) + "\npublic sealed class $NThing;") { MayAwait = false },
        new("a constructor of a scoped service", "$NThing.ctor", Class(
            """
            public static void AddServices(IServiceCollection services) => services.AddScoped<$NThing>();
            public static void Map(WebApplication app) => app.MapGet("$ROUTE", ($NThing thing) => "ok");
            """) + """

            public sealed class $NThing
            {
            public $NThing()
            {
            $BODY
            }
            $MEMBERS
            }
            """) { MayAwait = false },
        new("Dispose of a scoped service", "$NThing.Dispose", Class(
            """
            public static void AddServices(IServiceCollection services) => services.AddScoped<$NThing>();
            public static void Map(WebApplication app) => app.MapGet("$ROUTE", ($NThing thing) => "ok");
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
        new("DisposeAsync of a scoped service", "$NThing.DisposeAsync", Class(
            """
            public static void AddServices(IServiceCollection services) => services.AddScoped<$NThing>();
            public static void Map(WebApplication app) => app.MapGet("$ROUTE", ($NThing thing) => "ok");
            """) + """

            public sealed class $NThing : IAsyncDisposable
            {
            public async ValueTask DisposeAsync()
            {
            $BODY
            await Task.CompletedTask;
            }
            $MEMBERS
            }
            """) { IsAfterPipeline = true, IsAfterHeaders = true },
        new("what is registered for Dispose", "$NThing.Dispose", Class(
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
        new("an own result", "$NResult.ExecuteAsync",
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
        new("work that goes on after the response", "$N.Background", Class(
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

    private static string Class(string members) => $"internal static class $N\n{{\n{members}\n}}\n";

    private static string Controller(string baseClass, string action) =>
        $"[Route(\"$ROUTE\")]\npublic sealed class $NController : {baseClass}\n{{\n{action}\n$MEMBERS\n}}\n";
}
