using Microsoft.AspNetCore.Routing.Patterns;
using Microsoft.Extensions.Primitives;

namespace AsyncProbe.Soak;

/// <summary>
/// Endpoints that are created again under the same names on request, as gateways do when their configuration changes.
/// </summary>
internal sealed class ReloadedEndpoints : EndpointDataSource, IDisposable
{
    public const int Number = 20;

    private CancellationTokenSource _changed = new();
    private IReadOnlyList<Endpoint> _endpoints = Make();

    public override IReadOnlyList<Endpoint> Endpoints => _endpoints;

    public override IChangeToken GetChangeToken() => new CancellationChangeToken(_changed.Token);

    public void Reload()
    {
        _endpoints = Make();
        var changed = Interlocked.Exchange(ref _changed, new CancellationTokenSource());
        changed.Cancel();
        changed.Dispose();
    }

    public void Dispose() => _changed.Dispose();

    private static Endpoint[] Make() =>
        [.. Enumerable.Range(0, Number).Select(i => new RouteEndpointBuilder(Answer, RoutePatternFactory.Parse($"/reloaded/{i}"), 0)
        {
            DisplayName = $"reloaded {i}",
            Metadata = { new HttpMethodMetadata(["GET"]) },
        }.Build())];

    private static async Task Answer(HttpContext context)
    {
        await Task.Yield();
        await context.Response.WriteAsync("ok");
    }
}
