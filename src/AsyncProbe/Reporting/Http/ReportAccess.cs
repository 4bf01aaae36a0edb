using System.Net;
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

    /// <summary>Whether an endpoint with this metadata answers 404 to every caller.</summary>
    public bool IsClosed(EndpointMetadataCollection metadata) => NeedsManagementPort(metadata) && _options.ManagementPort is null;

    /// <summary>Whether an endpoint with this metadata answers on the management port only.</summary>
    public bool NeedsManagementPort(EndpointMetadataCollection metadata) =>
        !_isDevelopment && _options is { AllowRemote: false, AllowLocal: false } && !HasAuthorization(metadata);

    /// <summary>Whether only the host name of the request is wrong, so that the log should give a hint.</summary>
    public bool RefusesNameOnly(HttpContext context) =>
        IsForBrowsersHere(context) && !HasOwnName(context.Request) && !HasAnotherOrigin(context.Request);

    /// <summary>
    /// Whether an endpoint with this metadata takes anonymous callers whatever the app's fallback policy says: in Development, unless the
    /// app asked for authorization here. Elsewhere a fallback policy holds, because it may be what protects <c>AllowRemote</c>.
    /// </summary>
    public bool IsAnonymous(IEnumerable<object> metadata) =>
        _isDevelopment && !metadata.Any(data => data is IAuthorizeData or AuthorizationPolicy or IAuthorizationRequirementData);

    private bool IsForAll(HttpContext context) =>
        _options.AllowRemote
        || (IsOnManagementPort(context) && !IsOnLoopback(context))
        || (context.Items.ContainsKey(AuthorizedKey) && context.GetEndpoint() is { } endpoint && HasAuthorization(endpoint.Metadata));

    // A page of another origin must not read the report through a browser on this machine, whatever the app's CORS policy allows. Nor must
    // a page whose own name was pointed at this machine.
    private bool IsForThisMachine(HttpContext context) =>
        ((IsForBrowsersHere(context) && HasOwnName(context.Request)) || (_options.AllowLocal && local.Is(context)))
            && !HasAnotherOrigin(context.Request);

    private bool IsForBrowsersHere(HttpContext context) => _isDevelopment || (IsOnManagementPort(context) && IsOnLoopback(context));

    private bool IsOnManagementPort(HttpContext context) => _options.ManagementPort is { } port && context.Connection.LocalPort == port;

    private static bool IsOnLoopback(HttpContext context) =>
        context.Connection.LocalIpAddress is { } address && IPAddress.IsLoopback(address);

    // A script may send X-Forwarded-Host with its own requests. The middleware that believes it keeps the name that the browser sent.
    private static bool HasOwnName(HttpRequest request) =>
        LocalNames.IsOfThisMachine(request.Host.Host)
        && request.Headers[ProxyMarks.OriginalHost].All(host => LocalNames.IsOfThisMachine(new HostString(host ?? "").Host));

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
