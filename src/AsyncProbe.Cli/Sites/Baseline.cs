using AsyncProbe.Cli.Joining;
using AsyncProbe.Cli.Server;
using AsyncProbe.Common;

namespace AsyncProbe.Cli.Sites;

/// <summary>The sites of an earlier, saved result. Sites that aren't among them are new.</summary>
internal sealed class Baseline(IEnumerable<SiteIdentity> known)
{
    private const int MostListed = 10;

    private readonly HashSet<SiteIdentity> _known = [.. known];
    private readonly HashSet<(string Kind, string Method)> _places = [.. known.Select(site => (site.Kind, site.Method))];

    /// <summary>
    /// Finds sites that aren't allowed and that are new for at least one of their endpoints. Two lines of one method count as one site.
    /// </summary>
    public IReadOnlyList<KnownSite> FindNew(IEnumerable<KnownSite> sites) =>
    [
        .. from site in sites
           where site.Allowed is null
           let endpoints = site.Endpoints.Where(endpoint => !IsKnown(endpoint, site)).ToList()
           where endpoints.Count > 0
           group site with { Endpoints = endpoints } by (site.Kind, site.Method) into same
           let first = same.First()
           select first with { Endpoints = [.. same.SelectMany(site => site.Endpoints).Distinct()] },
    ];

    // A server names the endpoints of a site up to a limit, in the order in which they blocked. The rest has one name for all.
    private bool IsKnown(string endpoint, KnownSite site) =>
        _known.Contains(new(endpoint, site.Kind, site.Method))
        || _known.Contains(new(RowNames.MoreEndpoints, site.Kind, site.Method))
        || (endpoint == RowNames.MoreEndpoints && _places.Contains((site.Kind, site.Method)));

    /// <summary>Adds the new sites to a server's side, with a sentence for each. It is unchanged if the server didn't answer.</summary>
    public ServerSide Apply(ServerSide server)
    {
        if (server.Status != ServerStatus.Joined)
        {
            return server;
        }

        var found = FindNew(server.KnownSites);
        return server with { NewSites = found, Findings = [.. server.Findings, .. Describe(found)] };
    }

    public static IEnumerable<string> Describe(IReadOnlyList<KnownSite> found)
    {
        foreach (var site in found.Take(MostListed))
        {
            yield return $"New since the baseline: {site.Describe()}.";
        }

        if (found.Count > MostListed)
        {
            yield return $"New since the baseline: {found.Count - MostListed} more sites.";
        }
    }
}
