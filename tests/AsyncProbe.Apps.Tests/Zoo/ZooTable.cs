using System.Globalization;

namespace AsyncProbe.Apps.Tests.Zoo;

/// <summary>Counts how many of the report's sites and verdicts are true, misleading or false, and how many places it names.</summary>
internal sealed class ZooTable
{
    /// <summary>A place that blocked less often need not be named.</summary>
    public const int OftenEnough = 20;

    private readonly List<string> _wrong = [];

    public int Sites { get; private set; }

    /// <summary>Sites where nothing blocks.</summary>
    public int False { get; private set; }

    /// <summary>Sites that do block, but with another kind, owner or line.</summary>
    public int Misleading { get; private set; }

    public int Lines { get; private set; }

    public int RightLines { get; private set; }

    public int AbsentLines { get; private set; }

    /// <summary>Places that blocked often, with what is needed to see them.</summary>
    public int Places { get; private set; }

    public int Named { get; private set; }

    public int Verdicts { get; private set; }

    public int RightVerdicts { get; private set; }

    /// <summary>What is wrong, one line each.</summary>
    public IReadOnlyList<string> Wrong => _wrong;

    public static ZooTable Of(IReadOnlyCollection<EndpointTruth> truths, Reported report, Setting setting)
    {
        var table = new ZooTable();
        foreach (var truth in truths)
        {
            var row = report.Find(truth.Endpoint);
            if (truth.Verdict is { } verdict)
            {
                table.Verdicts++;
                if (row is not null && verdict.Split('|').Contains(row.Verdict))
                {
                    table.RightVerdicts++;
                }
                else
                {
                    table._wrong.Add($"verdict: {truth.Endpoint} is {verdict}, not {row?.Verdict}: {row?.Advice}");
                }
            }

            var sites = report.SitesOf(truth.Endpoint).ToList();
            foreach (var site in sites)
            {
                table.Add(truth, site);
            }

            foreach (var place in truth.Sites.Where(s => s.IsRequired(setting) && row?.Requests >= OftenEnough))
            {
                table.Places++;
                if (sites.Any(s => place.Places.Any(p => p.Method == s.At)))
                {
                    table.Named++;
                }
                else
                {
                    table._wrong.Add($"not named: {truth.Endpoint} at {place.Text} [{place.Kind}]");
                }
            }
        }

        return table;
    }

    public static string Head => "| setting | sites | false | misleading | lines right | absent | wrong | named | verdicts |\n"
        + "|---|--:|--:|--:|--:|--:|--:|--:|--:|";

    public string Row(string setting) => string.Create(
        CultureInfo.InvariantCulture,
        $"| {setting} | {Sites} | {False} | {Misleading} | {RightLines} | {AbsentLines} | {Lines - RightLines - AbsentLines} "
            + $"| {Named} of {Places} | {RightVerdicts} of {Verdicts} |");

    private void Add(EndpointTruth truth, ReportedSite site)
    {
        Sites++;
        var here = truth.Sites.Where(s => s.Places.Any(p => p.Method == site.At)).ToList();
        var what = $"{truth.Endpoint}: {site.Text} [{site.Kind}], {site.Count} × {site.Blocked.Mean} ms{Of(site.Owner)}";
        if (here.Count == 0)
        {
            // A library's own place, without a line, is true where its threads may wait for its locks.
            if (!(site.File is null && truth.MayBlockInLibraries) && !SiteJudge.IsLockOfTheTimers(site.At, site.Kind))
            {
                False++;
                _wrong.Add($"false: {what}");
            }

            return;
        }

        Lines++;
        var atLine = here.Where(s => site.Line is null || s.Places.Any(p => SiteJudge.IsAt(site, p))).ToList();
        AbsentLines += site.Line is null ? 1 : 0;
        RightLines += site.Line is not null && atLine.Count > 0 ? 1 : 0;
        if (!atLine.Any(s => s.Kind == site.Kind && s.Owner == site.Owner))
        {
            Misleading++;
            _wrong.Add($"misleading: {what}, not "
                + string.Join(" or ", here.Select(s => $"{s.Text} [{s.Kind}]{Of(s.Owner)}")));
        }
    }

    private static string Of(string? owner) => owner is null ? "" : $" of {owner}";
}
