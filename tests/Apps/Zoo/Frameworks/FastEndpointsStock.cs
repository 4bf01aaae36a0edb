using FastEndpoints;

namespace Zoo.Frameworks;

// truth: GET /fastendpoints: asyncWillHelp
public sealed class FastEndpointsStock : EndpointWithoutRequest<int>
{
    public override void Configure()
    {
        Get("/fastendpoints");
        AllowAnonymous();
    }

    public override Task<int> ExecuteAsync(CancellationToken ct)
    {
        ReadAsync().Wait(ct); // blocks: Task.Wait, in FastEndpointsStock.ExecuteAsync, for 15 ms
        return Task.FromResult(42);
    }

    private static Task ReadAsync() => Task.Delay(15);
}
