using RestSharp;
using Zoo.Backends;

namespace Zoo.Http;

internal static class RestSharpClient
{
    private static readonly RestClient s_client = new(HttpBackend.CreateClient());

    public static void Map(IEndpointRouteBuilder app)
    {
        // truth: GET /restsharp: asyncWillHelp
        app.MapGet("/restsharp", () => s_client.Execute(new RestRequest("stock")).Content); // blocks: Task.GetResult, for 15 ms

        // truth: GET /restsharp/async: alreadyAsync|fine
        app.MapGet("/restsharp/async", async () => (await s_client.ExecuteAsync(new RestRequest("stock"))).Content);
    }
}
