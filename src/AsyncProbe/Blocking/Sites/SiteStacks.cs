using System.Collections.Concurrent;
using AsyncProbe.Blocking.Stacks;
using AsyncProbe.Common;

namespace AsyncProbe.Blocking.Sites;

/// <summary>
/// The stacks under which one endpoint came to one call site, and what each cost. Stacks with the same frames of the application's own are
/// one: between those the framework calls itself on many ways that are nobody's matter.
/// </summary>
/// <param name="place">Stands for the stacks that are too many.</param>
internal sealed class SiteStacks(SiteFrame? place)
{
    /// <summary>Code that comes to one line on more ways has the time of the others at the line alone.</summary>
    public const int Most = 16;

    private readonly ConcurrentDictionary<int, SiteStack> _all = new();
    private int _count;

    /// <summary>Where waits are counted whose stack found no room.</summary>
    public SiteStack Others { get; } = new(place is null ? [] : [place]);

    public SiteStack? Find(int way) => _all.GetValueOrDefault(way);

    public bool TryTakeRoom() => Counter.TryRaise(ref _count, Most);

    public SiteStack Add(int way, IReadOnlyList<SiteFrame> frames) => _all.GetOrAdd(way, new SiteStack(frames));

    /// <summary>
    /// Divides all that the endpoint has at the site among the stacks: what each has, and of what has no stack, which are the shares that
    /// windows gave, the part of it that it has of what was seen.
    /// </summary>
    /// <param name="read">Reads it, after the stacks were read: none of them may have more.</param>
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
