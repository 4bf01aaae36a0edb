using Carter;

namespace Zoo.Frameworks;

public sealed class CarterStock : ICarterModule
{
    public void AddRoutes(IEndpointRouteBuilder app)
    {
        // truth: GET /carter: asyncWillHelp
        app.MapGet("/carter", () => ReadAsync().Result); // blocks: Task.Result, in CarterStock.AddRoutes, for 15 ms
    }

    private static async Task<int> ReadAsync()
    {
        await Task.Delay(15);
        return 42;
    }
}
