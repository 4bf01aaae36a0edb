using Akka.Actor;

namespace Zoo.Messaging;

internal static class AkkaActors
{
    private const string Quiet = "akka { stdout-loglevel = OFF, loglevel = OFF }";

    private static readonly ActorSystem s_system = ActorSystem.Create("zoo", Quiet); // blocks: Task.WaitAll/Any, in AkkaActors.cctor, from /akka, perhaps
    private static readonly IActorRef s_stock = s_system.ActorOf(Props.Create<Stock>(), "stock");

    public static void Map(IEndpointRouteBuilder app)
    {
        // truth: GET /akka: asyncWillHelp
        app.MapGet("/akka", () => s_stock.Ask<int>("stock").Result); // blocks: Task.Result, for 15 ms

        // truth: GET /akka/async: alreadyAsync|fine
        app.MapGet("/akka/async", () => s_stock.Ask<int>("stock"));
    }

    private sealed class Stock : ReceiveActor
    {
        public Stock() => Receive<string>(_ => CountAsync().PipeTo(Sender));

        private static async Task<int> CountAsync()
        {
            await Task.Delay(15);
            return 42;
        }
    }
}
