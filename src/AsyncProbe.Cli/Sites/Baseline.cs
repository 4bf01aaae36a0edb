using AsyncProbe.Cli.Server;

namespace AsyncProbe.Cli.Sites;

/// <summary>The sites of a result that was saved before. What is not among them is new.</summary>
internal sealed class Baseline(IEnumerable<SiteIdentity> known)
{
    private const int MostListed = 10;

    private readonly HashSet<SiteIdentity> _known = [.. known];

    /// <summary>Sites that nobody has allowed, at least one endpoint of which did not have them; two lines of one method are one.</summary>
    public IReadOnlyList<KnownSite> FindNew(IEnumerable<KnownSite> sites) =>
    [
        .. from site in sites
           where site.Allowed is null
           let endpoints = site.Endpoints.Where(endpoint => !_known.Contains(new(endpoint, site.Kind, site.Method))).ToList()
           where endpoints.Count > 0
           group site with { Endpoints = endpoints } by (site.Kind, site.Method) into same
           let first = same.First()
           select first with { Endpoints = [.. same.SelectMany(site => site.Endpoints).Distinct()] },
    ];

    /// <summary>A server's side with its new sites, and a sentence for each; as it was where the server did not answer.</summary>
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
