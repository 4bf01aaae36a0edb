using System.Globalization;
using System.Security.Cryptography;
using System.Text;
using AsyncProbe.Cli.Joining;
using AsyncProbe.Cli.Statistics;

namespace AsyncProbe.Cli.Sites;

/// <summary>Creates findings from what servers know: one for each line, new ones first and then the worst.</summary>
internal static class Findings
{
    private const int MostEndpoints = 3;

    /// <summary>Leaves out sites that are allowed, and sites without a known line.</summary>
    public static IReadOnlyList<Finding> From(IReadOnlyList<ServerSide> servers, Func<string, string> findPath)
    {
        var anyBaseline = servers.Any(server => server.NewSites is not null);
        var isNew = servers.SelectMany(server => server.NewSites ?? []).Select(site => (site.Kind, site.Method)).ToHashSet();
        var sites = servers.SelectMany(server => server.KnownSites, (server, site) => (server.Url, Site: site))
            .Where(known => known.Site is { Allowed: null, File: not null, Line: not null })
            .GroupBy(known => (known.Site.Kind, known.Site.Method, known.Site.File, known.Site.Line))
            .Select(Merge)
            .OrderBy(site => !isNew.Contains((site.Kind, site.Method)))
            .ThenByDescending(site => site.Count * (site.MeanMs ?? 0))
            .ToList();
        return [.. sites.Select(site => new Finding
        {
            Site = site,
            Rule = WaitRule.Get(site.Kind),
            Path = findPath(site.File!),
            Line = site.Line!.Value,
            Fingerprint = Fingerprint(site, sites),
            IsNew = anyBaseline ? isNew.Contains((site.Kind, site.Method)) : null,
            Sentence = Describe(site),
        })];
    }

    /// <summary>How many sites are left out because their line is unknown.</summary>
    public static int CountWithoutLine(IEnumerable<ServerSide> servers) => servers.SelectMany(server => server.KnownSites)
        .Where(site => site is { Allowed: null, File: null } or { Allowed: null, Line: null })
        .Select(site => (site.Kind, site.Method)).Distinct().Count();

    /// <summary>Merges the same line from several rounds or replicas.</summary>
    private static KnownSite Merge(IEnumerable<(string? Server, KnownSite Site)> same)
    {
        var all = same.ToList();
        var counted = ToAdd(all);
        var count = counted.Sum(site => site.Count);
        return counted[0] with
        {
            Count = count,
            MeanMs = count == 0 || counted.Exists(site => site.MeanMs is null)
                ? counted[0].MeanMs
                : counted.Sum(site => site.MeanMs * site.Count) / count,
            Endpoints = [.. all.SelectMany(known => known.Site.Endpoints).Distinct()],
            Sampled = counted.Exists(site => site.Sampled),
            Partial = all.Exists(known => known.Site.Partial),
        };
    }

    /// <summary>
    /// The sites whose counts add up. A count from before a run covers the server's whole life, and the server repeats it in every round
    /// that watches no request.
    /// </summary>
    private static List<KnownSite> ToAdd(List<(string? Server, KnownSite Site)> all)
    {
        var ofRuns = all.FindAll(known => !known.Site.Earlier);
        return ofRuns.Count > 0
            ? ofRuns.ConvertAll(known => known.Site)
            :
            [
                .. all.GroupBy(known => (known.Server, known.Site.Via), known => known.Site)
                    .Select(rounds => rounds.MaxBy(site => site.Count)!),
            ];
    }

    /// <summary>Based on kind and method; several lines of one method are distinguished by their order.</summary>
    private static string Fingerprint(KnownSite site, List<KnownSite> all)
    {
        var before = all.Count(other => other.Kind == site.Kind && other.Method == site.Method
            && (string.CompareOrdinal(other.File, site.File) < 0 || (other.File == site.File && other.Line < site.Line)));
        var hash = SHA256.HashData(Encoding.UTF8.GetBytes($"{site.Kind}\n{site.Method}"));
        return string.Create(CultureInfo.InvariantCulture, $"{Convert.ToHexStringLower(hash.AsSpan(0, 8))}:{before + 1}");
    }

    private static string Describe(KnownSite site)
    {
        var more = site.Endpoints.Count > MostEndpoints ? $" and {site.Endpoints.Count - MostEndpoints} more" : "";
        var endpoints = string.Join(", ", site.Endpoints.Take(MostEndpoints)) + more;
        var mean = site.MeanMs is { } ms ? $", {FigureText.Ms(ms)} ms on average" : "";
        var seen = site.Sampled
            ? $"{endpoints} blocked a pool thread here, seen in {FigureText.Count(site.Count, "sample")}{mean}"
            : $"{endpoints} blocked a pool thread here {(site.Partial ? "at least " : "")}{FigureText.Count(site.Count, "time")}{mean}";
        return $"{seen}. {Remedy(site)}";
    }

    private static string Remedy(KnownSite site) => site.Awaitable switch
    {
        null => WaitRule.Get(site.Kind).Remedy,
        "await" => "Await it instead.",
        var twin => $"Await {twin} instead.",
    };
}
