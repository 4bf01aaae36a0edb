using System.Collections.Concurrent;
using System.Diagnostics;
using AsyncProbe.Blocking.Kinds;
using AsyncProbe.Blocking.Methods;
using AsyncProbe.Blocking.Stacks;
using AsyncProbe.Common;

namespace AsyncProbe.Blocking.Sites;

/// <summary>
/// One host's call sites: at most <c>MaxSites</c> rows. Further sites are counted in the row "(other)". A known site is counted without a
/// lock.
/// </summary>
internal sealed class BlockingSites(int maxSites, AllowRules rules)
{
    private const int MaxStackFrames = 64;

    // A helper that a hundred endpoints call waits under more than a hundred stacks. Beyond this limit, only a wait's place is known.
    private const int MaxKeptStacks = 2000;

    private readonly ConcurrentDictionary<SiteKey, BlockingSite> _sites = new();
    private readonly ConcurrentQueue<BlockingSite> _new = new();
    private BlockingSite _overflow = NewOverflow();
    private int _count;
    private int _generation;
    private long _overflowed;
    private int _keptStacks;

    /// <summary>Whether to keep the stacks of all waits, not only of the first at each site. False unless reports include stacks.</summary>
    public bool KeepsStacks { get; init; }

    /// <summary>Incremented when the counts are reset. A site from an earlier generation no longer counts.</summary>
    public int Generation => Volatile.Read(ref _generation);

    /// <summary>All sites. The report leaves out some of them.</summary>
    public IEnumerable<BlockingSite> All => _sites.Values;

    /// <summary>How many waits found no row of their own, because the table was full.</summary>
    public long Overflowed => Volatile.Read(ref _overflowed);

    /// <summary>The site of a wait, created for the first wait there.</summary>
    /// <param name="blame">What waited, and how.</param>
    /// <param name="reason">The reason of the permission given in code; null when there is none.</param>
    /// <param name="stack">The stack of the wait, which a new site keeps.</param>
    /// <param name="frames">Describes the stack's frames.</param>
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

    /// <summary>Finds where to count a wait's time under its stack; null when stacks are not kept.</summary>
    /// <param name="site">The site of the wait.</param>
    /// <param name="endpoint">The row of its endpoint; null while the endpoint is unknown.</param>
    /// <param name="stack">The stack of the calling thread.</param>
    /// <param name="frames">Describes the stack's frames.</param>
    public SiteStack? Keep(BlockingSite site, string? endpoint, StackTrace stack, Frames frames) =>
        FindStacks(site, endpoint) is { } stacks
            ? Keep(stacks, SiteWay.From(stack, frames), () => Describe(stack, frames))
            : null;

    /// <summary>The same for a stack that a snapshot took.</summary>
    public SiteStack? Keep(BlockingSite site, string? endpoint, IReadOnlyList<SampledFrame> stack, Frames frames) =>
        FindStacks(site, endpoint) is { } stacks
            ? Keep(stacks, SiteWay.From(stack, frames), () => Describe(stack, frames))
            : null;

    /// <summary>The site of a wait that no code allowed; null when none was counted there.</summary>
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

    /// <summary>Takes the next site that has not been logged.</summary>
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

    // When stacks are not kept, a wait costs nothing here.
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
