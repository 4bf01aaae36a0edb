using AsyncProbe.Analyzers.Reports;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.Text;

namespace AsyncProbe.Analyzers.Matching;

/// <summary>
/// Finds each site of a file again: in its method, by its call, and where several calls are alike by the line's own text, by their order,
/// and by how far the lines of the file have moved. A site whose call is gone is nowhere.
/// </summary>
/// <param name="model">Of the file.</param>
/// <param name="sites">Those in the file.</param>
/// <param name="cancellationToken">Ends the search.</param>
internal sealed class SiteMatcher(SemanticModel model, IReadOnlyList<ReportedSite> sites, CancellationToken cancellationToken)
{
    // Far more than a method has lines that block; each one is compared with each call of its method.
    private const int MostInMethod = 200;

    private readonly TextLineCollection _lines = model.SyntaxTree.GetText(cancellationToken).Lines;
    private readonly List<(ReportedSite Site, Call Call)> _found = [];

    /// <summary>At most one place for each site.</summary>
    public IReadOnlyList<(ReportedSite Site, Call Call)> Match()
    {
        var calls = Calls.Find(
            model.SyntaxTree.GetRoot(cancellationToken), new HashSet<string>(sites.Select(site => site.Method)), cancellationToken);
        var open = new List<(List<ReportedSite> Sites, List<Call> Calls)>();
        foreach (var alike in Largest().GroupBy(site => (site.Method, site.Kind, site.Awaitable)))
        {
            var wanted = new BlockingCall(alike.First());
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

        // What is certain says how far the rest has moved.
        foreach (var (alike, places) in open.OrderBy(group => group.Sites.Count == group.Calls.Count ? 0 : 1))
        {
            MatchAlike(alike, places);
        }

        return _found;
    }

    private IEnumerable<ReportedSite> Largest() => sites.GroupBy(site => site.Method).SelectMany(method =>
        method.OrderByDescending(site => site.Count * (site.MeanMs ?? 1)).Take(MostInMethod));

    // Several calls of a statement are one line of a report.
    private static List<Call> Places(IEnumerable<Call> calls) =>
        [.. calls.GroupBy(call => call.FirstLine).Select(line => line.First()).OrderBy(call => call.FirstLine)];

    private void MatchAlike(List<ReportedSite> alike, List<Call> places)
    {
        if (alike.Count == places.Count)
        {
            _found.AddRange(alike.Zip(places, (site, call) => (site, call)));
            return;
        }

        var used = new HashSet<Call>();
        foreach (var site in alike.OrderBy(site => places.Exists(call => HasText(call, site)) ? 0 : 1))
        {
            cancellationToken.ThrowIfCancellationRequested();
            var free = places.Where(call => !used.Contains(call)).ToList();
            var same = free.Where(call => HasText(call, site)).ToList();
            var line = site.Line + Moved(site);
            if ((same.Count > 0 ? same : free).OrderBy(call => call.Distance(line)).FirstOrDefault() is { } best)
            {
                used.Add(best);
                _found.Add((site, best));
            }
        }
    }

    // Nothing but the line says which call it was: then it must be the line, or its text.
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
