namespace AsyncProbe.Analyzers.Reports;

/// <summary>
/// Reads the server's own report, and every result of the command that has call sites. Files from other tools are ignored. A file with an
/// AsyncProbe name that is not a valid report gets a message that says why.
/// </summary>
internal static class ReportReader
{
    public const int LargestText = 16 << 20;
    public const int MostSites = 10_000;

    /// <summary>No C# method has a longer name, and searching for a name takes time.</summary>
    private const int LongestMethod = 1024;

    // About thirty years. A larger figure can't have been measured, and would fill a line with digits.
    private const double LongestMs = 1e12;
    private const double MostWaits = 1e12;

    private const int KnownSchema = 1;
    private const string HowToMake = "Save one with: asyncprobe report URL -o blocked.asyncprobe.json.";

    public static bool IsCandidate(string path) => path.EndsWith(".json", StringComparison.OrdinalIgnoreCase);

    public static ReportFile Read(string path, string text, CancellationToken cancellationToken = default)
    {
        var file = FileName(path);
        return OfOurs(file, Parse(text, file, cancellationToken));
    }

    public static ReportFile TooLarge(string path, int length)
    {
        var file = FileName(path);
        return OfOurs(
            file,
            new ReportFile([], $"The report {file} is too large: {length >> 20} MB, and at most {LargestText >> 20} are read. {HowToMake}"));
    }

    private static string FileName(string path) => path.Substring(path.LastIndexOfAny(['/', '\\']) + 1);

    private static ReportFile OfOurs(string file, ReportFile report) =>
        report.Problem is not null && file.IndexOf("asyncprobe", StringComparison.OrdinalIgnoreCase) < 0 ? ReportFile.None : report;

    private static ReportFile Parse(string text, string file, CancellationToken cancellationToken)
    {
        var json = new JsonScanner(text, cancellationToken);
        try
        {
            var sites = new List<ReportedSite>();
            var (schema, hasSites) = ReadRoot(json, sites);
            json.ExpectEnd();
            return !hasSites ? new ReportFile([], $"The report {file} holds no call sites. {HowToMake}")
                : schema != KnownSchema
                    ? new ReportFile([], $"The report {file} does not have schema {KnownSchema}, which this analyzer reads. "
                    + "Use the AsyncProbe.Analyzers of the same version as the server.")
                : new ReportFile(sites);
        }
        catch (ReportException e)
        {
            return new ReportFile([], $"The report {file} is broken: {e.Message}. {HowToMake}", e.Position);
        }
    }

    private static (double? Schema, bool HasSites) ReadRoot(JsonScanner json, List<ReportedSite> sites)
    {
        double? schema = null;
        var hasSites = false;
        if (json.Peek() != '{')
        {
            json.Skip();
            return (null, false);
        }

        json.ReadObject(name =>
        {
            switch (name)
            {
                case "schema":
                    schema = json.ReadNumber();
                    break;
                case "sites" when json.Peek() == '[':
                    hasSites = true;
                    json.ReadArray(() => ReadSite(json, sites));
                    break;
                default:
                    hasSites |= FindKnownSites(json, name, sites);
                    break;
            }
        });
        return (schema, hasSites);
    }

    // Runs, sweeps, comparisons and observations contain the sites at different depths, but always under this name.
    private static bool FindKnownSites(JsonScanner json, string name, List<ReportedSite> sites)
    {
        var found = false;
        switch (json.Peek())
        {
            case '[' when name == "knownSites":
                json.ReadArray(() => ReadSite(json, sites));
                return true;
            case '[':
                json.ReadArray(() => found |= FindKnownSites(json, "", sites));
                return found;
            case '{':
                ReadServer(json, sites, inner => found |= FindKnownSites(json, inner, sites));
                return found;
            default:
                json.Skip();
                return false;
        }
    }

    // A server's address is next to its sites, in either order.
    private static void ReadServer(JsonScanner json, List<ReportedSite> sites, Action<string> property)
    {
        var first = sites.Count;
        string? url = null;
        json.ReadObject(name =>
        {
            if (name == "url")
            {
                url = json.ReadText();
            }
            else
            {
                property(name);
            }
        });
        sites.Skip(first).ToList().ForEach(site => site.Server ??= url);
    }

    private static void ReadSite(JsonScanner json, List<ReportedSite> sites)
    {
        if (json.Peek() != '{' || sites.Count >= MostSites)
        {
            json.Skip();
            return;
        }

        var site = new ReportedSite();
        json.ReadObject(name => ReadProperty(json, name, site));
        if (site.Method.Length is > 0 and <= LongestMethod)
        {
            sites.Add(site);
        }
    }

    private static void ReadProperty(JsonScanner json, string name, ReportedSite site)
    {
        switch (name)
        {
            case "kind":
                site.Kind = Rules.FindKind(json.ReadText() ?? "");
                break;
            case "at" or "method":
                site.Method = GeneratedNames.ToSource(json.ReadText() ?? "");
                break;
            case "file":
                site.File = json.ReadText()?.Replace('\\', '/').TrimStart('/');
                break;
            case "line":
                site.Line = json.ReadNumber() is >= 1 and <= int.MaxValue and var line ? (int)line : 0;
                break;
            case "via":
                site.Via = json.ReadText();
                break;
            case "count":
                site.Count = json.ReadNumber() is >= 0 and <= MostWaits and var count ? (long)count : 0;
                break;
            case "blockedMs" when json.Peek() == '{':
                json.ReadObject(inner =>
                {
                    if (inner == "mean")
                    {
                        site.MeanMs = ReadMs(json);
                    }
                    else
                    {
                        json.Skip();
                    }
                });
                break;
            case "meanMs":
                site.MeanMs = ReadMs(json);
                break;
            case "endpoints" when json.Peek() == '[':
                json.ReadArray(() => site.Endpoints.Add(PrintableText.From(json.ReadText() ?? "")));
                break;
            case "sampled":
                site.Sampled = json.ReadTrue();
                break;
            case "partial":
                site.Partial = json.ReadTrue();
                break;
            case "earlier":
                site.Earlier = json.ReadTrue();
                break;
            case "allowed":
                site.Allowed = json.ReadText();
                break;
            case "awaitable":
                site.Awaitable = json.ReadText();
                break;
            case "source":
                site.Source = json.ReadText();
                break;
            default:
                json.Skip();
                break;
        }
    }

    private static double? ReadMs(JsonScanner json) => json.ReadNumber() is >= 0 and <= LongestMs and var ms ? ms : null;

    /// <summary>Merges the same line from several rounds, replicas and reports.</summary>
    public static IReadOnlyList<ReportedSite> Merge(IEnumerable<ReportedSite> sites)
    {
        var merged = new List<ReportedSite>();
        foreach (var method in sites.GroupBy(site => (site.Kind, site.Method, site.File, site.Line, site.Allowed is null)))
        {
            var all = method.ToList();
            if (all.Count == 1)
            {
                merged.Add(all[0]);
                continue;
            }

            var sum = new ReportedSite { Kind = all[0].Kind, Method = all[0].Method, File = all[0].File, Line = all[0].Line };
            sum.Via = all[0].Via;
            sum.Allowed = all[0].Allowed;
            ToAdd(all).ForEach(sum.AddFigures);
            all.ForEach(sum.AddFacts);
            merged.Add(sum);
        }

        return merged;
    }

    // A count from before a run covers the server's whole life, and the server repeats it in every round that watches no request.
    private static List<ReportedSite> ToAdd(List<ReportedSite> all)
    {
        var ofRuns = all.FindAll(site => !site.Earlier);
        return ofRuns.Count > 0
            ? ofRuns
            : [.. all.GroupBy(site => (site.Server, site.Via)).Select(rounds => rounds.OrderBy(site => site.Count).Last())];
    }
}
