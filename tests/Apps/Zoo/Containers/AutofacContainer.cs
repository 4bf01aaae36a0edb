using Autofac;

namespace Zoo.Containers;

internal static class AutofacContainer
{
    private static readonly IContainer s_container = Build();

    public static void Map(IEndpointRouteBuilder app)
    {
        // The container calls a constructor that waits.
        // truth: GET /autofac/slow: asyncWillHelp
        app.MapGet("/autofac/slow", () =>
        {
            using var scope = s_container.BeginLifetimeScope();
            return scope.Resolve<Shop>().Stock; // calls: AutofacContainer.Shop.ctor
        });

        // truth: GET /autofac/graph: fine
        app.MapGet("/autofac/graph", () =>
        {
            using var scope = s_container.BeginLifetimeScope();
            return scope.Resolve<Report>().Pages;
        });
    }

    private static IContainer Build()
    {
        var builder = new ContainerBuilder();
        builder.RegisterType<Shop>().InstancePerLifetimeScope();
        builder.RegisterType<Report>();
        builder.RegisterType<Printer>().SingleInstance();
        builder.Register(_ => new Paper(2)).InstancePerLifetimeScope();
        return builder.Build();
    }

    internal sealed class Shop
    {
        public Shop() => Stock = ReadStockAsync().GetAwaiter().GetResult(); // blocks: Task.GetResult, in AutofacContainer.Shop.ctor, from /autofac/slow, for 15 ms

        public int Stock { get; }

        private static async Task<int> ReadStockAsync()
        {
            await Task.Delay(15);
            return 42;
        }
    }

    internal sealed record Paper(int Pages);

    internal sealed class Printer;

    internal sealed class Report(Paper paper, Printer printer)
    {
        public int Pages => printer is null ? 0 : paper.Pages;
    }
}
