using AsyncProbe.Blocking.Kinds;
using AsyncProbe.Blocking.Stacks;

namespace AsyncProbe.Blocking.Sites;

/// <summary>A place of pool threads that ran neither a request nor an operation.</summary>
/// <param name="At">The first frame of application code; if there is none, the deepest library call.</param>
/// <param name="Kind">How the threads waited there.</param>
/// <param name="Threads">The number of threads.</param>
internal sealed record UnclaimedSite(SiteFrame At, WaitKind Kind, int Threads);

/// <summary>What the last snapshot of such threads saw, with the most threads first.</summary>
internal sealed class UnclaimedSites
{
    // Older findings say nothing about the current threads.
    private static readonly TimeSpan s_validFor = TimeSpan.FromSeconds(30);

    private volatile Seen _seen = new(DateTime.MinValue, []);

    public IReadOnlyList<UnclaimedSite> Read() => _seen is var seen && DateTime.UtcNow - seen.At < s_validFor ? seen.Sites : [];

    public void Set(IReadOnlyList<UnclaimedSite> sites) => _seen = new Seen(DateTime.UtcNow, sites);

    private sealed record Seen(DateTime At, IReadOnlyList<UnclaimedSite> Sites);
}
