using MassTransit;
using MediatR;

namespace Zoo.Messaging;

internal static class Mediators
{
    private static readonly Mediator s_mediatR = new(Create);
    private static readonly MassTransit.Mediator.IMediator s_massTransit =
        Bus.Factory.CreateMediator(c => c.Handler<Sold>(_ => Task.Delay(15)));

    public static void Map(IEndpointRouteBuilder app)
    {
        // truth: GET /mediatr: asyncWillHelp
        app.MapGet("/mediatr", () => s_mediatR.Send(new StockQuery()).Result); // blocks: Task.Result, for 15 ms

        // truth: GET /mediatr/async: alreadyAsync|fine
        app.MapGet("/mediatr/async", () => s_mediatR.Send(new StockQuery()));

        // truth: GET /masstransit: asyncWillHelp
        app.MapGet("/masstransit", () =>
        {
            s_massTransit.Send(new Sold(42)).Wait(); // blocks: Task.Wait, for 15 ms
            return "sold";
        });

        // truth: GET /masstransit/async: alreadyAsync|fine
        app.MapGet("/masstransit/async", async () =>
        {
            await s_massTransit.Send(new Sold(42));
            return "sold";
        });
    }

    private static object Create(Type type) =>
        type == typeof(IRequestHandler<StockQuery, int>) ? new StockHandler()
        : Array.CreateInstance(type.GetGenericArguments()[0], 0);

    public sealed record Sold(int Number);

    private sealed record StockQuery : MediatR.IRequest<int>;

    private sealed class StockHandler : IRequestHandler<StockQuery, int>
    {
        public async Task<int> Handle(StockQuery request, CancellationToken cancellationToken)
        {
            await Task.Delay(15, cancellationToken);
            return 42;
        }
    }
}
