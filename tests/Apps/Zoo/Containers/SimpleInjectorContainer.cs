using SimpleInjector;

namespace Zoo.Containers;

internal static class SimpleInjectorContainer
{
    private static readonly Container s_container = Build();

    public static void Map(IEndpointRouteBuilder app)
    {
        // The container calls a factory that sleeps.
        // truth: GET /simpleinjector/slow: asyncWillHelp
        app.MapGet("/simpleinjector/slow", () => s_container.GetInstance<Session>().Number); // calls: SimpleInjectorContainer.Connect

        // truth: GET /simpleinjector/graph: fine
        app.MapGet("/simpleinjector/graph", () => s_container.GetInstance<Report>().Text);
    }

    private static Container Build()
    {
        var container = new Container();
        container.Register(Connect);
        container.Register<Report>();
        container.RegisterSingleton<Printer>();
        return container;
    }

    private static Session Connect()
    {
        Thread.Sleep(15); // blocks: Sleep, in SimpleInjectorContainer.Connect, from /simpleinjector/slow, for 15 ms, snapshots
        return new Session(1);
    }

    internal sealed record Session(int Number);

    internal sealed class Printer
    {
        public string Name => "printer";
    }

    internal sealed class Report(Printer printer)
    {
        public string Text => printer.Name;
    }
}
