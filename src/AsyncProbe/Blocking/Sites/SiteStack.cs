using AsyncProbe.Blocking.Stacks;
using AsyncProbe.Common;

namespace AsyncProbe.Blocking.Sites;

/// <summary>A stack under which waits reached a call site.</summary>
/// <param name="frames">The frames, innermost first.</param>
internal sealed class SiteStack(IReadOnlyList<SiteFrame> frames)
{
    private Duration _blocked;

    public IReadOnlyList<SiteFrame> Frames => frames;

    public Duration Blocked => Counter.Read(ref _blocked);

    public void Add(Duration blocked) => Counter.Add(ref _blocked, blocked);
}
