using Microsoft.AspNetCore.Hosting.Server;
using Microsoft.AspNetCore.Hosting.Server.Features;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.Routing;
using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.DependencyInjection;

namespace AsyncProbe.Reporting.Access;

/// <summary>
/// Where to open the live page. Leaves out an address that isn't certain, because a broken link is worse than no link.
/// </summary>
internal sealed class PageAddress(IServiceProvider services, LocalCaller local)
{
    /// <summary>The port of a page that can't be opened on any port.</summary>
    public const int NoPort = -1;

    private const string InContainer = "DOTNET_RUNNING_IN_CONTAINER";

    // IIS sets this token for the server behind it, and that server refuses every other caller.
    private const string IisToken = "TOKEN";

    /// <summary>The routes of the server's main pipeline; null until it is configured, or if it has none. Routes in a branch
    /// (<c>Map("/admin", …)</c>) are left out, because their patterns don't include the branch's path.</summary>
    public IEndpointRouteBuilder? Routes { get; set; }

    /// <summary>The addresses of the pages whose routes have no parameters, without the origin if it's uncertain; empty if none is
    /// certain.</summary>
    /// <param name="isPage">Whether an endpoint is the page.</param>
    /// <param name="portOf">The only port that opens a page; null if the server's first address does.</param>
    public string Find(Func<Endpoint, bool> isPage, Func<Endpoint, int?> portOf) =>
        string.Join(
            " and ",
            (Routes?.DataSources ?? []).SelectMany(source => source.Endpoints).OfType<RouteEndpoint>()
                .Where(endpoint => isPage(endpoint) && endpoint.RoutePattern.Parameters.Count == 0)
                .Select(endpoint => Origin(portOf(endpoint)) is { } origin ? $"{origin}/{endpoint.RoutePattern.RawText?.Trim('/')}" : null)
                .OfType<string>());

    /// <summary>The server's addresses plus one with this port; null if the server listens on the port, or might.</summary>
    public string? AddressesWith(int port)
    {
        var addresses = Addresses();
        return addresses.Count == 0 || addresses.Any(a => a.Port == port || IsWithoutPort(a))
            ? null
            : string.Join(';', [.. addresses.Select(a => Text(a, a.Port)), Text(addresses[0], port)]);

        static string Text(BindingAddress address, int port) => Invariant($"{address.Scheme}://{address.Host}:{port}");
    }

    /// <summary>Null if none of the server's addresses has the port.</summary>
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

        // Outside a container, its port may have another number or not be published.
        var isHidden = isAnyHost && "true".Equals(services.GetService<IConfiguration>()?[InContainer], StringComparison.OrdinalIgnoreCase);
        return IsWithoutPort(address) || isHidden
            ? ""
            : Invariant($"{address.Scheme}://{(isAnyHost ? "localhost" : address.Host)}:{address.Port}{address.PathBase.TrimEnd('/')}");
    }

    // A socket that the service manager passes in has the host "<file handle>".
    private static bool IsWithoutPort(BindingAddress address) =>
        address.IsUnixPipe || address.IsNamedPipe || address.Host.StartsWith('<');

    private static string Invariant(FormattableString text) => FormattableString.Invariant(text);
}
