using AsyncProbe.Analyzers.Reports;
using Microsoft.CodeAnalysis;

namespace AsyncProbe.Analyzers.Matching;

/// <summary>
/// The sites of each file, found when the first file asks. A search that was cancelled is made again: a <see cref="Lazy{T}"/> would keep
/// the exception.
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
