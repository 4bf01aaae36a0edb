using System.Text.Json;

namespace AsyncProbe.Cli.Server;

/// <summary>
/// What the server's verdict takes an endpoint's blocked time for. Few requests carry the wait hook, and once the place is known perhaps
/// none of a run: how a run's time is shared out is known from the server's last minutes or not at all.
/// </summary>
/// <param name="Allowed">The share of all blocked time that is allowed, 0 to 1, as the others.</param>
/// <param name="Locks">The share of the rest that is spent at locks.</param>
/// <param name="Provider">The share of the rest inside a database provider that is synchronous inside.</param>
internal sealed record BlockedShares(double Allowed, double Locks, double Provider)
{
    /// <param name="recent">The server's last minutes; whatever is there.</param>
    /// <returns>Null where the server does not tell, or nothing was blocked.</returns>
    public static BlockedShares? Read(JsonElement recent)
    {
        if (recent.Number("blockedMs") is not (> 0 and var blocked) || recent.Number("locksMs") is not { } locks)
        {
            return null;
        }

        var allowed = Share(recent.Number("allowedMs") ?? 0, blocked);
        var accused = blocked * (1 - allowed);
        return new(allowed, Share(locks, accused), Share(recent.Number("providerMs") ?? 0, accused));
    }

    private static double Share(double part, double whole) => whole > 0 ? Math.Clamp(part / whole, 0, 1) : 0;
}
