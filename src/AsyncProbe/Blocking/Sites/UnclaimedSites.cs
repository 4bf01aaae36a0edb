using AsyncProbe.Blocking.Kinds;
using AsyncProbe.Blocking.Stacks;
using AsyncProbe.Common;

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
    private static Duration ValidFor => 30 * Duration.Second;

    private volatile Seen _seen = new(default, []);

    public IReadOnlyList<UnclaimedSite> Read() => _seen is var seen && seen.At.Elapsed() < ValidFor ? seen.Sites : [];

    public void Set(IReadOnlyList<UnclaimedSite> sites) => _seen = new Seen(Timestamp.Now(), sites);

    private sealed record Seen(Timestamp At, IReadOnlyList<UnclaimedSite> Sites);
}
