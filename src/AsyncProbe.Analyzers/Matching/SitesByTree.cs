using AsyncProbe.Analyzers.Reports;
using Microsoft.CodeAnalysis;

namespace AsyncProbe.Analyzers.Matching;

/// <summary>
/// The sites of each file, found on first use. A cancelled search is repeated at the next use; a <see cref="Lazy{T}"/> would cache the
/// exception.
/// </summary>
internal sealed class SitesByTree(Compilation compilation, IReadOnlyList<ReportedSite> sites)
{
    private readonly object _lock = new();
    private ILookup<SyntaxTree, ReportedSite>? _found;

    public ILookup<SyntaxTree, ReportedSite> Get(CancellationToken cancellationToken)
    {
        lock (_lock)
        {
            return _found ??= SiteTrees.Find(compilation, sites, cancellationToken);
        }
    }
}
