using Microsoft.AspNetCore.Hosting.Server;
using Microsoft.AspNetCore.Hosting.Server.Features;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.Routing;
using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.DependencyInjection;

namespace AsyncProbe.Reporting.Http;

/// <summary>
/// Where to open the live page. What cannot be known for certain is left out: a link that leads nowhere is worse than none.
/// </summary>
internal sealed class PageAddress(IServiceProvider services, LocalCaller local)
{
    private const string InContainer = "DOTNET_RUNNING_IN_CONTAINER";

    // Set by IIS for the server behind it, which refuses everybody else.
    private const string IisToken = "TOKEN";

    /// <summary>The routes of the server's own pipeline; null until it is configured, or where it has none. Those of a branch
    /// (<c>Map("/admin", …)</c>) lie under a path that their patterns do not show.</summary>
    public IEndpointRouteBuilder? Routes { get; set; }

    /// <summary>The addresses of the routes that hold for every path, or else the routes alone; empty where nothing is certain.</summary>
    /// <param name="isPage">Whether an endpoint is the page.</param>
    public string Find(Func<Endpoint, bool> isPage)
    {
        var origin = Origin();
        return string.Join(
            " and ",
            (Routes?.DataSources ?? []).SelectMany(source => source.Endpoints).OfType<RouteEndpoint>()
                .Where(endpoint => isPage(endpoint) && endpoint.RoutePattern.Parameters.Count == 0)
                .Select(endpoint => $"{origin}/{endpoint.RoutePattern.RawText?.Trim('/')}"));
    }

    private string Origin() =>
        !local.IsInMemory && services.GetService<IConfiguration>()?[IisToken] is null
        && services.GetService<IServer>()?.Features.Get<IServerAddressesFeature>()?.Addresses is { Count: > 0 } addresses
            ? Origin(BindingAddress.Parse(addresses.First()))
            : "";

    private string Origin(BindingAddress address)
    {
        var isAnyHost = address.Host is "*" or "+" or "0.0.0.0" or "[::]";

        // A container's port has another number outside, or none.
        var isHidden = isAnyHost && "true".Equals(services.GetService<IConfiguration>()?[InContainer], StringComparison.OrdinalIgnoreCase);
        return address.IsUnixPipe || address.IsNamedPipe || isHidden
            ? ""
            : Invariant($"{address.Scheme}://{(isAnyHost ? "localhost" : address.Host)}:{address.Port}{address.PathBase.TrimEnd('/')}");
    }

    private static string Invariant(FormattableString text) => FormattableString.Invariant(text);
}
