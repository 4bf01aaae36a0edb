using System.Collections.Concurrent;
using System.Diagnostics;
using AsyncProbe.Blocking.Stacks;
using AsyncProbe.Common;

namespace AsyncProbe.Blocking.Sites;

/// <summary>
/// One host's call sites: at most <c>MaxSites</c> rows, the rest in the row "(other)". A known site is counted without a lock.
/// </summary>
internal sealed class BlockingSites(int maxSites, AllowRules rules)
{
    private const int MaxStackFrames = 64;

    // A helper that a hundred endpoints call waits under a hundred stacks and more; past this a wait's place alone is known.
    private const int MaxKeptStacks = 2000;

    private readonly ConcurrentDictionary<SiteKey, BlockingSite> _sites = new();
    private readonly ConcurrentQueue<BlockingSite> _new = new();
    private BlockingSite _overflow = NewOverflow();
    private int _count;
    private int _generation;
    private long _overflowed;
    private int _keptStacks;

    /// <summary>Whether the stacks of all waits are kept, not of the first at each site alone. Not where nobody may see them.</summary>
    public bool KeepsStacks { get; init; }

    /// <summary>Raised when the counts start anew: a site from before counts for nobody.</summary>
    public int Generation => Volatile.Read(ref _generation);

    /// <summary>All sites, also those that the report leaves out.</summary>
    public IEnumerable<BlockingSite> All => _sites.Values;

    /// <summary>How many waits found no row of their own.</summary>
    public long Overflowed => Volatile.Read(ref _overflowed);

    /// <summary>The site of a wait, made when it is the first one there.</summary>
    /// <param name="blame">Who waited, and how.</param>
    /// <param name="reason">The leave given in code; null when none was.</param>
    /// <param name="stack">Kept by a new site.</param>
    /// <param name="frames">Describes it.</param>
    public BlockingSite GetOrAdd(BlameFrame blame, string? reason, StackTrace stack, Frames frames)
    {
        var key = new SiteKey(blame, reason);
        return _sites.TryGetValue(key, out var known)
            ? known
            : Add(key, blame, reason, Describe(stack, frames), frames, isSampled: false);
    }

    /// <summary>The same for a stack that a snapshot took.</summary>
    public BlockingSite GetOrAdd(BlameFrame blame, string? reason, IReadOnlyList<SampledFrame> stack, Frames frames)
    {
        var key = new SiteKey(blame, reason);
        return _sites.TryGetValue(key, out var known)
            ? known
            : Add(key, blame, reason, Describe(stack, frames), frames, isSampled: true);
    }

    /// <summary>Where the time of a wait under this stack is counted; null when stacks are not kept.</summary>
    /// <param name="site">Where it waited.</param>
    /// <param name="endpoint">The row of its endpoint; null when that is not known yet.</param>
    /// <param name="stack">The stack of the waiting thread, which is the calling one.</param>
    /// <param name="frames">Describes it.</param>
    public SiteStack? Keep(BlockingSite site, string? endpoint, StackTrace stack, Frames frames) =>
        FindStacks(site, endpoint) is { } stacks
            ? Keep(stacks, SiteWay.From(stack, frames), () => Describe(stack, frames))
            : null;

    /// <summary>The same for a stack that a snapshot took.</summary>
    public SiteStack? Keep(BlockingSite site, string? endpoint, IReadOnlyList<SampledFrame> stack, Frames frames) =>
        FindStacks(site, endpoint) is { } stacks
            ? Keep(stacks, SiteWay.From(stack, frames), () => Describe(stack, frames))
            : null;

    /// <summary>The site of a wait that nobody allowed in code; null when none was counted there.</summary>
    public BlockingSite? Find(BlameFrame blame) =>
        _sites.GetValueOrDefault(new SiteKey(blame, null));

    public IReadOnlyList<BlockingSite> Read()
    {
        List<BlockingSite> all = [.. _sites.Values.Where(s => s is { Count: > 0, IsShown: true })];
        if (_overflow.Count > 0)
        {
            all.Add(_overflow);
        }

        return all;
    }

    /// <summary>The next site that nobody was told of.</summary>
    public bool TryTakeNew(out BlockingSite? site) => _new.TryDequeue(out site);

    public void Reset()
    {
        Interlocked.Increment(ref _generation);
        _sites.Clear();
        _new.Clear();
        _overflow = NewOverflow();
        Volatile.Write(ref _count, 0);
        Volatile.Write(ref _overflowed, 0);
        Volatile.Write(ref _keptStacks, 0);
    }

    private static BlockingSite NewOverflow() => new(WaitKind.Other, null, null, [], null);

    private BlockingSite Add(SiteKey key, BlameFrame blame, string? reason, IReadOnlyList<SiteFrame> stack, Frames frames, bool isSampled)
    {
        if (Interlocked.Increment(ref _count) > maxSites)
        {
            Interlocked.Decrement(ref _count);
            Interlocked.Increment(ref _overflowed);
            return _overflow;
        }

        var site = new BlockingSite(
            blame.Kind, blame.ToSiteFrame(frames), blame.Via, stack, reason ?? rules.ReasonFor(blame.At.FullName))
            {
                IsFromSnapshot = isSampled,
            };
        var added = _sites.GetOrAdd(key, site);
        if (added == site)
        {
            _new.Enqueue(site);
        }
        else
        {
            Interlocked.Decrement(ref _count);
        }

        return added;
    }

    // Where stacks are not shown, a wait pays for nothing here.
    private SiteStacks? FindStacks(BlockingSite site, string? endpoint) =>
        KeepsStacks && endpoint is not null && site != _overflow ? site.FindOrAddStacks(endpoint) : null;

    private SiteStack Keep(SiteStacks stacks, int way, Func<List<SiteFrame>> describe) =>
        stacks.Find(way) is { } known ? known
        : stacks.TryTakeRoom() && Counter.TryRaise(ref _keptStacks, MaxKeptStacks) ? stacks.Add(way, describe())
        : stacks.Others;

    private static List<SiteFrame> Describe(IReadOnlyList<SampledFrame> stack, Frames frames) =>
        [.. stack.Take(MaxStackFrames).Select(p => new SiteFrame(frames.Get(p.Method), p.IlOffset))];

    private static List<SiteFrame> Describe(StackTrace stack, Frames frames)
    {
        List<SiteFrame> all = [];
        for (var i = 0; i < stack.FrameCount && all.Count < MaxStackFrames; i++)
        {
            if (stack.GetFrame(i) is { } frame && frames.Get(frame) is { } info && info.Owner != FrameOwner.Hook)
            {
                all.Add(new SiteFrame(info, frame.GetILOffset()));
            }
        }

        return all;
    }
}
