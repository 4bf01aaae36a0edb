using AsyncProbe.Analyzers.Reports;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.Text;

namespace AsyncProbe.Analyzers.Matching;

/// <summary>
/// Finds the call of each site in a file that may have changed since. It searches in the site's method for the same kind of call. Among
/// several such calls, it decides by the line's text, by their order, and by how far the file's lines have moved. A site whose call is gone
/// has no match.
/// </summary>
/// <param name="model">The file's semantic model.</param>
/// <param name="sites">The sites in the file.</param>
/// <param name="cancellationToken">Cancels the search.</param>
internal sealed class SiteMatcher(SemanticModel model, IReadOnlyList<ReportedSite> sites, CancellationToken cancellationToken)
{
    // Far more than the lines of one method that block. The limit matters because each site is compared with each call of its method.
    private const int MostInMethod = 200;

    private readonly TextLineCollection _lines = model.SyntaxTree.GetText(cancellationToken).Lines;
    private readonly List<(ReportedSite Site, Call Call)> _found = [];

    /// <summary>Returns at most one call for each site.</summary>
    public IReadOnlyList<(ReportedSite Site, Call Call)> Match()
    {
        var calls = Calls.Find(
            model.SyntaxTree.GetRoot(cancellationToken), new HashSet<string>(sites.Select(site => site.Method)), cancellationToken);
        var open = new List<(List<ReportedSite> Sites, List<Call> Calls)>();
        foreach (var alike in Largest().GroupBy(site => (site.Method, site.Kind, site.Awaitable)))
        {
            var wanted = new SiteCall(alike.First());
            var ordered = alike.OrderBy(site => site.Line).ToList();
            var places = Places(calls[alike.Key.Method].Where(call => wanted.Matches(call, model, cancellationToken)));
            if (places.Count > 0)
            {
                open.Add((ordered, places));
            }
            else if (!wanted.IsNamed)
            {
                MatchLines(ordered, Places(calls[alike.Key.Method]));
            }
        }

        // Match the unambiguous groups first: they show how far the lines have moved.
        foreach (var (alike, places) in open.OrderBy(group => group.Sites.Count == group.Calls.Count ? 0 : 1))
        {
            MatchAlike(alike, places);
        }

        return _found;
    }

    private IEnumerable<ReportedSite> Largest() => sites.GroupBy(site => site.Method).SelectMany(method =>
        method.OrderByDescending(site => site.Count * (site.MeanMs ?? 1)).Take(MostInMethod));

    // If a statement has several calls, the report has one line for all of them.
    private static List<Call> Places(IEnumerable<Call> calls) =>
        [.. calls.GroupBy(call => call.FirstLine).Select(line => line.First()).OrderBy(call => call.FirstLine)];

    private void MatchAlike(List<ReportedSite> alike, List<Call> places)
    {
        var free = places.ToList();
        var matched = new Dictionary<ReportedSite, Call>();
        foreach (var same in alike.GroupBy(site => site.Source))
        {
            Match([.. same], free.FindAll(call => HasText(call, same.First())));
        }

        // A call whose text has changed still lies between the same neighbours.
        foreach (var changed in alike.FindAll(site => !matched.ContainsKey(site)).ToLookup(site => Gap(site, alike, matched)))
        {
            Match([.. changed], free.FindAll(call => call.FirstLine > changed.Key.After && call.FirstLine < changed.Key.Before));
        }

        // Where there are as many calls as sites, their order decides.
        void Match(List<ReportedSite> ordered, List<Call> candidates)
        {
            var isOrdered = ordered.Count == candidates.Count;
            foreach (var site in ordered)
            {
                cancellationToken.ThrowIfCancellationRequested();
                if ((isOrdered ? candidates[0] : Nearest(site, candidates)) is { } best)
                {
                    matched.Add(site, best);
                    candidates.Remove(best);
                    free.Remove(best);
                    _found.Add((site, best));
                }
            }
        }
    }

    private Call? Nearest(ReportedSite site, List<Call> calls)
    {
        var line = site.Line + Moved(site);
        return calls.OrderBy(call => call.Distance(line)).FirstOrDefault();
    }

    private static (int After, int Before) Gap(ReportedSite site, List<ReportedSite> alike, Dictionary<ReportedSite, Call> matched)
    {
        var index = alike.IndexOf(site);
        var previous = alike.Take(index).LastOrDefault(matched.ContainsKey);
        var next = alike.Skip(index).FirstOrDefault(matched.ContainsKey);
        return (previous is null ? 0 : matched[previous].FirstLine, next is null ? int.MaxValue : matched[next].FirstLine);
    }

    // Only the line can identify these calls, so either the line number or the text must match.
    private void MatchLines(List<ReportedSite> unnamed, List<Call> places)
    {
        foreach (var site in unnamed)
        {
            cancellationToken.ThrowIfCancellationRequested();
            var best = site.Source is null
                ? places.FirstOrDefault(call => call.IsAt(site.Line))
                : places.Where(call => HasText(call, site)).OrderBy(call => call.Distance(site.Line + Moved(site))).FirstOrDefault();
            if (best is not null)
            {
                _found.Add((site, best));
            }
        }
    }

    private int Moved(ReportedSite site) => _found.Where(found => found.Site.Line > 0)
        .OrderBy(found => Math.Abs(found.Site.Line - site.Line))
        .Select(found => found.Call.IsAt(found.Site.Line) ? 0 : found.Call.FirstLine - found.Site.Line)
        .FirstOrDefault();

    private bool HasText(Call call, ReportedSite site)
    {
        if (site.Source is not { Length: > 0 } source)
        {
            return false;
        }

        var text = _lines[call.FirstLine - 1].ToString().Trim();
        return text == source
            || (source.EndsWith("…", StringComparison.Ordinal)
                && text.StartsWith(source.Substring(0, source.Length - 1), StringComparison.Ordinal));
    }
}
