using System.Net;
using Microsoft.AspNetCore.Authorization;
using Microsoft.AspNetCore.Http;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Options;

namespace AsyncProbe.Reporting;

/// <summary>Who may see the report: see SECURITY.md. Outside Development only a direct caller on this machine, unless something lifts that.</summary>
internal sealed class Exposure(IHostEnvironment environment, IOptions<AsyncProbeOptions> options)
{
    private readonly bool _isDevelopment = environment.IsDevelopment();
    private readonly AsyncProbeOptions _options = options.Value;

    public bool Allows(HttpContext context) => IsVisible(context) && !IsForeignPost(context.Request);

    private bool IsVisible(HttpContext context) =>
        _isDevelopment
        || _options.AllowRemote
        || (_options.ManagementPort is { } port && context.Connection.LocalPort == port)
        || HasAuthorization(context.GetEndpoint())
        || IsDirectLocalCaller(context);

    /// <summary>
    /// A host policy does not count here: the client chooses the Host header. Metadata that allows anonymous callers takes the
    /// authorization back.
    /// </summary>
    private static bool HasAuthorization(Endpoint? endpoint) =>
        endpoint?.Metadata is { } metadata
        && (metadata.GetMetadata<IAuthorizeData>() is not null || metadata.GetMetadata<AuthorizationPolicy>() is not null)
        && metadata.GetMetadata<IAllowAnonymous>() is null;

    /// <summary>
    /// From this machine, not through a proxy on it, and under a name of this machine: a page of another site whose name was pointed at
    /// 127.0.0.1 arrives from the loopback address too.
    /// </summary>
    private static bool IsDirectLocalCaller(HttpContext context)
    {
        // The in-memory server has no address.
        var isLoopback = context.Connection.RemoteIpAddress is not { } address || IPAddress.IsLoopback(address);
        return isLoopback && !IsForwarded(context.Request.Headers) && IsLoopbackName(context.Request.Host.Host);
    }

    private static bool IsForwarded(IHeaderDictionary headers) => headers.Keys.Any(IsForwardingHeader);

    public static bool IsForwardingHeader(string name) =>
        name.Equals("Forwarded", StringComparison.OrdinalIgnoreCase) || name.StartsWith("X-Forwarded-", StringComparison.OrdinalIgnoreCase);

    /// <summary>Whether a Host header's name, without its port, is one of this machine.</summary>
    public static bool IsLoopbackName(string host) =>
        host.Equals("localhost", StringComparison.OrdinalIgnoreCase)
        || (IPAddress.TryParse(host.Trim('[', ']'), out var address) && IPAddress.IsLoopback(address));

    /// <summary>A browser tells where a POST comes from; a page of another origin must not reset the counts.</summary>
    private static bool IsForeignPost(HttpRequest request)
    {
        if (!HttpMethods.IsPost(request.Method))
        {
            return false;
        }

        var site = request.Headers["Sec-Fetch-Site"].ToString();
        if (site.Length > 0 && site is not ("same-origin" or "none"))
        {
            return true;
        }

        var origin = request.Headers.Origin.ToString();
        return origin.Length > 0 && !origin.Equals($"{request.Scheme}://{request.Host}", StringComparison.OrdinalIgnoreCase);
    }
}
