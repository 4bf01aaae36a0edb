using System.Net;
using Microsoft.AspNetCore.Authorization;
using Microsoft.AspNetCore.Http;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Options;

namespace AsyncProbe.Reporting.Access;

/// <summary>Decides who may see the report; see SECURITY.md. Outside Development, no one may until the app allows it.</summary>
internal sealed class ReportAccess(IHostEnvironment environment, IOptions<AsyncProbeOptions> options, LocalCaller local)
{
    // The authorization middleware sets this key when it has run for the request's endpoint. The endpoint middleware also checks it.
    private const string AuthorizedKey = "__AuthorizationMiddlewareWithEndpointInvoked";

    private readonly bool _isDevelopment = environment.IsDevelopment();
    private readonly AsyncProbeOptions _options = options.Value;

    public bool Allows(HttpContext context) =>
        (IsForAll(context) || IsForThisMachine(context))
            && !(HttpMethods.IsPost(context.Request.Method) && IsFromAnotherSite(context.Request));

    /// <summary>Whether an endpoint with this metadata answers 404 to every caller.</summary>
    public bool IsClosed(EndpointMetadataCollection metadata) => NeedsManagementPort(metadata) && _options.ManagementPort is null;

    /// <summary>Whether an endpoint with this metadata answers only on the management port.</summary>
    public bool NeedsManagementPort(EndpointMetadataCollection metadata) =>
        !_isDevelopment && _options is { AllowRemote: false, AllowLocal: false } && !HasAuthorization(metadata);

    /// <summary>Whether the request is refused only because of its host name, which is worth a hint in the log.</summary>
    public bool RefusesNameOnly(HttpContext context) =>
        IsForBrowsersHere(context) && !HasOwnName(context.Request) && !HasAnotherOrigin(context.Request);

    /// <summary>
    /// Whether an endpoint with this metadata accepts anonymous callers despite the app's fallback policy. It does in Development, unless
    /// the app requires authorization here. Elsewhere the fallback policy applies, because it may be what protects <c>AllowRemote</c>.
    /// </summary>
    public bool IsAnonymous(IEnumerable<object> metadata) =>
        _isDevelopment && !metadata.Any(data => data is IAuthorizeData or AuthorizationPolicy or IAuthorizationRequirementData);

    private bool IsForAll(HttpContext context) =>
        _options.AllowRemote
        || (IsOnManagementPort(context) && !IsOnLoopback(context))
        || (context.Items.ContainsKey(AuthorizedKey) && context.GetEndpoint() is { } endpoint && HasAuthorization(endpoint.Metadata));

    // A page from another origin must not read the report through a browser on this machine, whatever the app's CORS policy allows.
    // Neither may a page whose host name was pointed at this machine (DNS rebinding).
    private bool IsForThisMachine(HttpContext context) =>
        ((IsForBrowsersHere(context) && HasOwnName(context.Request)) || (_options.AllowLocal && local.Is(context)))
            && !HasAnotherOrigin(context.Request);

    private bool IsForBrowsersHere(HttpContext context) => _isDevelopment || (IsOnManagementPort(context) && IsOnLoopback(context));

    private bool IsOnManagementPort(HttpContext context) => _options.ManagementPort is { } port && context.Connection.LocalPort == port;

    private static bool IsOnLoopback(HttpContext context) =>
        context.Connection.LocalIpAddress is { } address && IPAddress.IsLoopback(address);

    // A script may add X-Forwarded-Host to its requests. The middleware that trusts it keeps the name the browser sent in X-Original-Host.
    private static bool HasOwnName(HttpRequest request) =>
        LocalNames.IsOfThisMachine(request.Host.Host)
        && request.Headers[ProxyMarks.OriginalHost].All(host => LocalNames.IsOfThisMachine(new HostString(host ?? "").Host));

    /// <summary>
    /// A host policy doesn't count, because the client chooses the Host header. Metadata that allows anonymous callers cancels the
    /// authorization.
    /// </summary>
    private static bool HasAuthorization(EndpointMetadataCollection metadata) =>
        (metadata.GetMetadata<IAuthorizeData>() is not null || metadata.GetMetadata<AuthorizationPolicy>() is not null)
        && metadata.GetMetadata<IAllowAnonymous>() is null;

    /// <summary>Browsers say which site a POST comes from. A page on another site must not reset the counts.</summary>
    private static bool IsFromAnotherSite(HttpRequest request) =>
        HasAnotherOrigin(request) || request.Headers["Sec-Fetch-Site"].ToString() is not ("" or "same-origin" or "none");

    private static bool HasAnotherOrigin(HttpRequest request)
    {
        var origin = request.Headers.Origin.ToString();
        return origin.Length > 0 && !origin.Equals($"{request.Scheme}://{request.Host}", StringComparison.OrdinalIgnoreCase);
    }
}
