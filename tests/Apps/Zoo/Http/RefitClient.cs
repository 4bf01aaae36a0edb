using Refit;
using Zoo.Backends;

namespace Zoo.Http;

internal static class RefitClient
{
    private static readonly IStockApi s_api = RestService.For<IStockApi>(HttpBackend.CreateClient());

    public static void Map(IEndpointRouteBuilder app)
    {
        // truth: GET /refit: asyncWillHelp
        app.MapGet("/refit", () =>
        {
            var stock = s_api.GetStockAsync().Result; // blocks: Task.Result, for 15 ms
            return stock.Length;
        });

        // truth: GET /refit/async: alreadyAsync|fine
        app.MapGet("/refit/async", async () => (await s_api.GetStockAsync()).Length);
    }

    internal interface IStockApi
    {
        [Get("/stock")]
        Task<string> GetStockAsync();
    }
}
