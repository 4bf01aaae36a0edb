using Microsoft.AspNetCore.Authorization;
using Microsoft.AspNetCore.Http;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Options;

namespace AsyncProbe.Reporting.Http;

/// <summary>Who may see the report: see SECURITY.md. Outside Development nobody, until the app says who.</summary>
internal sealed class ReportAccess(IHostEnvironment environment, IOptions<AsyncProbeOptions> options, LocalCaller local)
{
    // The authorization middleware leaves this key when it has run for the request's endpoint; the endpoint middleware looks for it too.
    private const string AuthorizedKey = "__AuthorizationMiddlewareWithEndpointInvoked";

    private readonly bool _isDevelopment = environment.IsDevelopment();
    private readonly AsyncProbeOptions _options = options.Value;

    public bool Allows(HttpContext context) =>
        (IsForAll(context) || IsForThisMachine(context))
            && !(HttpMethods.IsPost(context.Request.Method) && IsFromAnotherSite(context.Request));

    /// <summary>Whether nobody at all is answered at an endpoint with this metadata.</summary>
    public bool IsClosed(EndpointMetadataCollection metadata) =>
        !_isDevelopment && _options is { AllowRemote: false, AllowLocal: false, ManagementPort: null } && !HasAuthorization(metadata);

    private bool IsForAll(HttpContext context) =>
        _options.AllowRemote
        || (_options.ManagementPort is { } port && context.Connection.LocalPort == port)
        || (context.Items.ContainsKey(AuthorizedKey) && context.GetEndpoint() is { } endpoint && HasAuthorization(endpoint.Metadata));

    // A page of another origin must not read it through the browser of somebody at this machine, whatever the app's CORS policy allows.
    private bool IsForThisMachine(HttpContext context) =>
        (_isDevelopment || (_options.AllowLocal && local.Is(context))) && !HasAnotherOrigin(context.Request);

    /// <summary>
    /// A host policy does not count here: the client chooses the Host header. Metadata that allows anonymous callers takes the
    /// authorization back.
    /// </summary>
    private static bool HasAuthorization(EndpointMetadataCollection metadata) =>
        (metadata.GetMetadata<IAuthorizeData>() is not null || metadata.GetMetadata<AuthorizationPolicy>() is not null)
        && metadata.GetMetadata<IAllowAnonymous>() is null;

    /// <summary>A browser tells where a POST comes from; a page of another site must not reset the counts.</summary>
    private static bool IsFromAnotherSite(HttpRequest request) =>
        HasAnotherOrigin(request) || request.Headers["Sec-Fetch-Site"].ToString() is not ("" or "same-origin" or "none");

    private static bool HasAnotherOrigin(HttpRequest request)
    {
        var origin = request.Headers.Origin.ToString();
        return origin.Length > 0 && !origin.Equals($"{request.Scheme}://{request.Host}", StringComparison.OrdinalIgnoreCase);
    }
}
