using System.Net;

namespace AsyncProbe.Reporting.Http;

/// <summary>
/// Names in a Host header, without the port, that no other site can have. A page of another site whose name was pointed at 127.0.0.1 (DNS
/// rebinding) reaches this machine from its own browser, but it always sends its own name.
/// </summary>
internal static class LocalNames
{
    private const string Loopback = "localhost";

    /// <summary>Whether the name means the loopback interface, on whatever machine it is used.</summary>
    public static bool IsLoopback(string host) =>
        host.Equals(Loopback, StringComparison.OrdinalIgnoreCase)
        || host.EndsWith("." + Loopback, StringComparison.OrdinalIgnoreCase)
        || (TryParse(host, out var address) && IPAddress.IsLoopback(address));

    /// <summary>Whether the name is this machine's: a loopback name, an IP address, or what the machine is called.</summary>
    public static bool IsOfThisMachine(string host) => IsLoopback(host) || TryParse(host, out _) || IsMachine(host);

    // An address cannot be pointed elsewhere, so any of them will do.
    private static bool TryParse(string host, out IPAddress address) => IPAddress.TryParse(host.Trim('[', ']'), out address!);

    // With ".local", it's the machine's name on its own network (mDNS).
    private static bool IsMachine(string host)
    {
        var name = Environment.MachineName;
        return host.Equals(name, StringComparison.OrdinalIgnoreCase) || host.Equals(name + ".local", StringComparison.OrdinalIgnoreCase);
    }
}
