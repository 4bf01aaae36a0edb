using Flurl.Http;
using Zoo.Backends;

namespace Zoo.Http;

internal static class FlurlClient
{
    private static readonly IFlurlClient s_client = new Flurl.Http.FlurlClient(HttpBackend.CreateClient());

    public static void Map(IEndpointRouteBuilder app)
    {
        // truth: GET /flurl: asyncWillHelp
        app.MapGet("/flurl", () => s_client.Request("stock").GetStringAsync().GetAwaiter().GetResult()); // blocks: Task.GetResult, for 15 ms

        // truth: GET /flurl/async: alreadyAsync|fine
        app.MapGet("/flurl/async", () => s_client.Request("stock").GetStringAsync());
    }
}
