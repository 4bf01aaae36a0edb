using static AsyncProbe.Truth.Tests.Generator.ShapeCode;

namespace AsyncProbe.Truth.Tests.Generator;

/// <summary>Services with the lifetime of a request.</summary>
internal static class ServiceShapes
{
    public static IReadOnlyList<Shape> All { get; } =
    [
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
    ];
}
