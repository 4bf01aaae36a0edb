using AsyncProbe.Blocking.Sites;
using AsyncProbe.Blocking.Stacks;
using AsyncProbe.Common;

namespace AsyncProbe.Prediction;

/// <summary>
/// What the call sites tell of one endpoint, over the whole life of the counts, without what its cold requests waited for once.
/// </summary>
internal sealed class EndpointSites
{
    private (BlockingSite Site, Duration Blocked)? _worst;
    private (BlockingSite Site, Duration Blocked)? _worstFromSnapshot;
    private (BlockingSite Site, Duration Blocked)? _worstAllowed;
    private (BlockingSite Site, Duration Blocked)? _worstLock;

    /// <summary>What has no site.</summary>
    public static EndpointSites None { get; } = new();

    /// <summary>Where the endpoint was blocked longest in all, among the places that nobody allowed.</summary>
    public BlockingSite? Worst => _worst?.Site;

    /// <summary>The same among locks.</summary>
    public BlockingSite? WorstLock => _worstLock?.Site;

    /// <summary>The same among those that a snapshot has seen.</summary>
    public BlockingSite? WorstFromSnapshot => _worstFromSnapshot?.Site;

    /// <summary>Where it was blocked longest with leave.</summary>
    public BlockingSite? WorstAllowed => _worstAllowed?.Site;

    /// <summary>All that the sites have counted.</summary>
    public Duration Blocked { get; private set; }

    /// <summary>What of that is allowed.</summary>
    public Duration Allowed { get; private set; }

    /// <summary>What is spent inside a database provider that is synchronous inside, without what is allowed.</summary>
    public Duration InProvider { get; private set; }

    /// <summary>The provider; null when none was seen.</summary>
    public string? Provider { get; private set; }

    /// <summary>The share of the sites' time that <see cref="Worst"/> has, without what is allowed.</summary>
    public double WorstShare =>
        _worst is { } worst ? worst.Blocked.RatioTo(Duration.Max(Duration.FromNanoseconds(1), Blocked - Allowed)) : 0;

    /// <summary>All endpoints in one go: asking every site about every endpoint would be half a million questions in a large app.</summary>
    public static Dictionary<string, EndpointSites> From(IEnumerable<BlockingSite> sites)
    {
        Dictionary<string, EndpointSites> all = new(StringComparer.Ordinal);
        foreach (var site in sites)
        {
            foreach (var (endpoint, row) in site.Endpoints)
            {
                if (!all.TryGetValue(endpoint, out var mine))
                {
                    all[endpoint] = mine = new EndpointSites();
                }

                mine.Add(site, row.Lasting);
            }
        }

        return all;
    }

    private static void Raise(ref (BlockingSite Site, Duration Blocked)? worst, BlockingSite site, Duration blocked)
    {
        if (site.At is not null && (worst is not { } known || blocked > known.Blocked))
        {
            worst = (site, blocked);
        }
    }

    private void Add(BlockingSite site, Duration blocked)
    {
        Blocked += blocked;
        if (site.Allowed is not null)
        {
            Allowed += blocked;
            Raise(ref _worstAllowed, site, blocked);
            return;
        }

        if (site.Provider is not null)
        {
            InProvider += blocked;
            Provider ??= site.Provider;
        }

        Raise(ref _worst, site, blocked);
        if (site.Kind == WaitKind.Lock)
        {
            Raise(ref _worstLock, site, blocked);
        }

        if (site.IsFromSnapshot)
        {
            Raise(ref _worstFromSnapshot, site, blocked);
        }
    }
}
