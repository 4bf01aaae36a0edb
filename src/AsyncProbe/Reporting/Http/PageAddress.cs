using Microsoft.AspNetCore.Hosting.Server;
using Microsoft.AspNetCore.Hosting.Server.Features;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.Routing;
using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.DependencyInjection;

namespace AsyncProbe.Reporting.Http;

/// <summary>
/// Where to open the live page. An address that isn't certain is left out: a link that leads nowhere is worse than none.
/// </summary>
internal sealed class PageAddress(IServiceProvider services, LocalCaller local)
{
    /// <summary>The port of a page that no port opens.</summary>
    public const int NoPort = -1;

    private const string InContainer = "DOTNET_RUNNING_IN_CONTAINER";

    // Set by IIS for the server behind it, which refuses every other caller.
    private const string IisToken = "TOKEN";

    /// <summary>The routes of the server's own pipeline; null until it is configured, or where it has none. Those of a branch
    /// (<c>Map("/admin", …)</c>) lie under a path that their patterns do not show.</summary>
    public IEndpointRouteBuilder? Routes { get; set; }

    /// <summary>The addresses of the routes that hold for every path, or else the routes only; empty where nothing is certain.</summary>
    /// <param name="isPage">Whether an endpoint is the page.</param>
    /// <param name="portOf">The only port that opens a page; null where the server's first address does.</param>
    public string Find(Func<Endpoint, bool> isPage, Func<Endpoint, int?> portOf) =>
        string.Join(
            " and ",
            (Routes?.DataSources ?? []).SelectMany(source => source.Endpoints).OfType<RouteEndpoint>()
                .Where(endpoint => isPage(endpoint) && endpoint.RoutePattern.Parameters.Count == 0)
                .Select(endpoint => Origin(portOf(endpoint)) is { } origin ? $"{origin}/{endpoint.RoutePattern.RawText?.Trim('/')}" : null)
                .OfType<string>());

    /// <summary>The server's addresses and one more with this port; null where the server listens on the port, or may.</summary>
    /// <param name="port">The port.</param>
    public string? AddressesWith(int port)
    {
        var addresses = Addresses();
        return addresses.Count == 0 || addresses.Any(a => a.Port == port || IsWithoutPort(a))
            ? null
            : string.Join(';', [.. addresses.Select(a => Text(a, a.Port)), Text(addresses[0], port)]);

        static string Text(BindingAddress address, int port) => Invariant($"{address.Scheme}://{address.Host}:{port}");
    }

    /// <summary>Null where no address of the server has the port.</summary>
    private string? Origin(int? port)
    {
        var addresses = Addresses();
        if (addresses.Count == 0)
        {
            return port is null ? "" : null;
        }

        return port is null ? Origin(addresses[0]) : addresses.Where(a => a.Port == port).Select(Origin).FirstOrDefault();
    }

    private List<BindingAddress> Addresses() =>
        !local.IsInMemory && services.GetService<IConfiguration>()?[IisToken] is null
            ? [.. (services.GetService<IServer>()?.Features.Get<IServerAddressesFeature>()?.Addresses ?? []).Select(BindingAddress.Parse)]
            : [];

    private string Origin(BindingAddress address)
    {
        var isAnyHost = address.Host is "*" or "+" or "0.0.0.0" or "[::]";

        // A container's port has another number outside, or none.
        var isHidden = isAnyHost && "true".Equals(services.GetService<IConfiguration>()?[InContainer], StringComparison.OrdinalIgnoreCase);
        return IsWithoutPort(address) || isHidden
            ? ""
            : Invariant($"{address.Scheme}://{(isAnyHost ? "localhost" : address.Host)}:{address.Port}{address.PathBase.TrimEnd('/')}");
    }

    // A socket that the service manager hands over shows as "<file handle>".
    private static bool IsWithoutPort(BindingAddress address) =>
        address.IsUnixPipe || address.IsNamedPipe || address.Host.StartsWith('<');

    private static string Invariant(FormattableString text) => FormattableString.Invariant(text);
}
