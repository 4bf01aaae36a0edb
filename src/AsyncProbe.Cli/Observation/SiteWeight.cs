using AsyncProbe.Cli.Joining;

namespace AsyncProbe.Cli.Observation;

/// <summary>
/// How much a line weighs among all lines. Only some requests are watched, so the time seen at a line says how its endpoint's blocked time
/// is divided among lines, not how much there is. Ranking by seen time would put a line of a well-watched endpoint above one that blocks
/// more. A line shared by several endpoints counts at each with its whole seen time, because the report doesn't split it by endpoint.
/// </summary>
internal static class SiteWeight
{
    /// <returns>The threads that the line keeps blocked on average, if its endpoints' lines explain all of their blocked time.</returns>
    public static double Threads(ReplicaSide replica, SiteSide site)
    {
        if (replica.Seconds <= 0)
        {
            return 0;
        }

        var endpoints = replica.Server.Endpoints.Where(row => site.Endpoints.Contains(row.Endpoint) && row.BlockedMs.Total > 0).ToList();
        var blockedMs = endpoints.Sum(row => row.BlockedMs.Total!.Value * Seen(site) / SeenOf(row, replica.Server.Sites));
        return (endpoints.Count == 0 ? Seen(site) : blockedMs) / 1000 / replica.Seconds;
    }

    // Avoid dividing by 0: if nothing was seen at any of an endpoint's lines, each of them weighs nothing.
    private static double SeenOf(EndpointSide row, IReadOnlyList<SiteSide> sites) =>
        Math.Max(double.Epsilon, sites.Where(site => site.Endpoints.Contains(row.Endpoint)).Sum(Seen));

    private static double Seen(SiteSide site) => site.BlockedMs.Total ?? 0;
}
