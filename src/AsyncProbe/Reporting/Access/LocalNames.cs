using System.Net;

namespace AsyncProbe.Reporting.Access;

/// <summary>
/// Host header names, without the port, that no other site can have. Another site can point its name at 127.0.0.1 (DNS rebinding) and
/// reach this machine through the user's browser, but the browser still sends that site's name.
/// </summary>
internal static class LocalNames
{
    private const string Loopback = "localhost";

    /// <summary>Whether the name means the loopback interface on every machine.</summary>
    public static bool IsLoopback(string host) =>
        host.Equals(Loopback, StringComparison.OrdinalIgnoreCase)
        || host.EndsWith("." + Loopback, StringComparison.OrdinalIgnoreCase)
        || (TryParse(host, out var address) && IPAddress.IsLoopback(address));

    /// <summary>Whether the name is this machine's: a loopback name, an IP address, or the machine name.</summary>
    public static bool IsOfThisMachine(string host) => IsLoopback(host) || TryParse(host, out _) || IsMachine(host);

    // An IP address can't be rebound to another machine, so any address is safe.
    private static bool TryParse(string host, out IPAddress address) => IPAddress.TryParse(host.Trim('[', ']'), out address!);

    // With ".local", it's the machine's name on its own network (mDNS).
    private static bool IsMachine(string host)
    {
        var name = Environment.MachineName;
        return host.Equals(name, StringComparison.OrdinalIgnoreCase) || host.Equals(name + ".local", StringComparison.OrdinalIgnoreCase);
    }
}
