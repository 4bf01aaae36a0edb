using System.Net.ServerSentEvents;
using System.Runtime.CompilerServices;

namespace Warehouse.Modules.Live;

public sealed class LiveModule : Module
{
    public override void AddServices(IServiceCollection services)
    {
        services.AddSignalR();
        services.AddHostedService<StockTicker>();
    }

    public override void Map(IEndpointRouteBuilder app)
    {
        app.MapHub<StockHub>("/live/stock");
        app.MapHub<QuietHub>("/live/quiet");
        app.MapGet("/live/events", (CancellationToken stop) => TypedResults.ServerSentEvents(EventsAsync(stop)));
    }

    private static async IAsyncEnumerable<SseItem<string>> EventsAsync([EnumeratorCancellation] CancellationToken stop)
    {
        for (var i = 0; i < 5; i++)
        {
            await Task.Delay(10, stop);
            yield return new SseItem<string>($"event {i}");
        }
    }
}
