using AsyncProbe;

namespace Warehouse.Modules.Orders;

public sealed class OrdersModule : Module
{
    public override void AddServices(IServiceCollection services)
    {
        services.AddSingleton<OrderQueue>();
        services.AddHostedService<OrderWorker>();
        services.AddScoped(_ => PriceList.LoadAsync().GetAwaiter().GetResult()); // blocks: factory
    }

    public override void Map(IEndpointRouteBuilder app)
    {
        var orders = app.MapGroup("/orders");

        // The worker blocks on it later; the request only queues it.
        orders.MapPost("/", async (OrderQueue queue) =>
        {
            await queue.AddAsync("order");
            return Results.Accepted();
        });

        orders.MapPost("/{id:int}/ship", (int id) =>
        {
            _ = Task.Run(Label.Print);
            return Results.Accepted();
        });

        orders.MapGet("/priced", (PriceList prices) => prices.Total);
        orders.MapGet("/packed", () =>
        {
            Parallel.For(0, 4, _ => Inventory.Scale.Weigh(2_000_000)); // blocks: packed
            return "packed";
        });
        orders.MapGet("/legacy", () =>
        {
            using (BlockingScope.Allow("the old host is called synchronously until it is replaced"))
            {
                Task.Delay(12).Wait(); // blocks: legacy
            }

            return "legacy";
        });
        orders.MapGet("/printed", [AllowBlocking("the printer has no asynchronous driver")] () =>
        {
            Task.Delay(12).Wait(); // blocks: printed
            return "printed";
        });
        orders.MapGet("/failing", async () =>
        {
            await Task.Delay(1);
            throw new InvalidOperationException("This order cannot be read.");
        });
    }
}
