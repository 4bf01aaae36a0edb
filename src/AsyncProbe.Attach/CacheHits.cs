using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.OutputCaching;
using Microsoft.Extensions.DependencyInjection;

namespace AsyncProbe.Attach;

/// <summary>
/// Recognises what the application's output cache served. Nothing can add a policy to a running application, so this reads the <c>Age</c>
/// header. A 304 of the cache has none, and counts as an ordinary request.
/// </summary>
internal sealed class CacheHits
{
    private volatile Application? _asked;

    public bool Contain(HttpContext context) =>
        context.Response.Headers.Age.Count > 0
        && context is DefaultHttpContext { ServiceScopeFactory: { } scopes } && HasOutputCache(scopes);

    private bool HasOutputCache(IServiceScopeFactory scopes)
    {
        if (_asked is not { } application || application.Scopes != scopes)
        {
            using var scope = scopes.CreateScope();
            var services = scope.ServiceProvider.GetService<IServiceProviderIsService>();
            _asked = application = new(scopes, services?.IsService(typeof(IOutputCacheStore)) == true);
        }

        return application.HasOutputCache;
    }

    private sealed record Application(IServiceScopeFactory Scopes, bool HasOutputCache);
}
