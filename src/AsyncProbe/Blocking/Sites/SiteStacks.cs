using System.Collections.Concurrent;
using AsyncProbe.Blocking.Stacks;
using AsyncProbe.Common;

namespace AsyncProbe.Blocking.Sites;

/// <summary>
/// The stacks under which one endpoint reached one call site, and the cost of each. Stacks with the same application frames count as one:
/// how the framework calls itself in between doesn't matter.
/// </summary>
/// <param name="place">The place shown for the stacks that found no room.</param>
internal sealed class SiteStacks(SiteFrame? place)
{
    /// <summary>The most stacks that are kept. The time of any others is shown only at the line itself.</summary>
    public const int Most = 16;

    private readonly ConcurrentDictionary<int, SiteStack> _all = new();
    private int _count;

    /// <summary>Counts the waits whose stack found no room.</summary>
    public SiteStack Others { get; } = new(place is null ? [] : [place]);

    public SiteStack? Find(int way) => _all.GetValueOrDefault(way);

    public bool TryTakeRoom() => Counter.TryRaise(ref _count, Most);

    public SiteStack Add(int way, IReadOnlyList<SiteFrame> frames) => _all.GetOrAdd(way, new SiteStack(frames));

    /// <summary>
    /// Divides the endpoint's whole time at the site among the stacks, in proportion to the time that each stack has. This includes time
    /// without a stack, which comes from the shares that windows gave.
    /// </summary>
    /// <param name="read">Reads the endpoint's whole time. Called after the stacks were read, so that their sum can't exceed it.</param>
    public IReadOnlyList<(IReadOnlyList<SiteFrame> Frames, Duration Blocked)> Divide(Func<Duration> read)
    {
        List<(IReadOnlyList<SiteFrame> Frames, Duration Blocked)> stacks =
            [.. _all.Values.Append(Others).Select(s => (s.Frames, s.Blocked)).Where(s => s.Blocked > Duration.Zero)];
        var seen = stacks.Aggregate(Duration.Zero, (sum, stack) => sum + stack.Blocked);
        var all = read();
        if (seen == Duration.Zero)
        {
            return [(Others.Frames, all)];
        }

        var left = all;
        for (var i = 0; i < stacks.Count; i++)
        {
            var mine = i == stacks.Count - 1 ? left : stacks[i].Blocked.RatioTo(seen) * all;
            stacks[i] = (stacks[i].Frames, mine);
            left -= mine;
        }

        return stacks;
    }
}
