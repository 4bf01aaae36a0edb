using System.Text.Json;

namespace AsyncProbe.Cli.Snapshots;

/// <summary>
/// How the server's verdict classifies an endpoint's blocked time. Few requests carry the wait hook. Once the place is known, possibly none
/// of a run's requests do, so the shares can only come from the server's recent minutes.
/// </summary>
/// <param name="Allowed">The share of all blocked time that is allowed. Like the other shares, it is from 0 to 1.</param>
/// <param name="Locks">The share of the rest spent at locks.</param>
/// <param name="Provider">The share of the rest spent inside a database provider that is synchronous internally.</param>
/// <param name="Unexplained">The share of the rest without a place that could be awaited; null from an older server.</param>
/// <param name="Placed">The share of all blocked time with a known place; null from an older server.</param>
internal sealed record BlockedShares(double Allowed, double Locks, double Provider, double? Unexplained, double? Placed)
{
    /// <param name="recent">The server's recent minutes; may be missing or of any shape.</param>
    /// <returns>Null when the server doesn't report it, or nothing was blocked.</returns>
    public static BlockedShares? Read(JsonElement recent)
    {
        if (recent.Number("blockedMs") is not (> 0 and var blocked) || recent.Number("locksMs") is not { } locks)
        {
            return null;
        }

        var allowed = Share(recent.Number("allowedMs") ?? 0, blocked);
        var accused = blocked * (1 - allowed);
        return new(
            allowed, Share(locks, accused), Share(recent.Number("providerMs") ?? 0, accused),
            recent.Number("unexplainedMs") is { } unexplained ? Share(unexplained, accused) : null,
            recent.Number("unexplainedMs") + recent.Number("unclearMs") is { } withoutPlace ? 1 - Share(withoutPlace, blocked) : null);
    }

    private static double Share(double part, double whole) => whole > 0 ? Math.Clamp(part / whole, 0, 1) : 0;
}
