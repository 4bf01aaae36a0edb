using AsyncProbe.Blocking.Kinds;
using AsyncProbe.Common;
using AsyncProbe.Rules;

namespace AsyncProbe.Blocking.Sites;

/// <summary>
/// The evidence about one endpoint from its call sites since the counts began. Once warm requests have shown enough, what cold ones showed
/// is left out. Until then, only locks of others that cold requests waited for are.
/// </summary>
internal sealed class EndpointSites
{
    private (BlockingSite Site, Duration Blocked, Evidence Evidence)? _worstToAwait;
    private (BlockingSite Site, Duration Blocked, Evidence Evidence)? _worstFromSnapshot;
    private (BlockingSite Site, Duration Blocked, Evidence Evidence)? _worstAllowed;
    private (BlockingSite Site, Duration Blocked, Evidence Evidence)? _worstLock;
    private (BlockingSite Site, Duration Blocked, Evidence Evidence)? _worstInProvider;

    private Duration _inStackLocks;
    private Duration _inCommands;

    /// <summary>The instance for an endpoint without sites.</summary>
    public static EndpointSites None { get; } = new();

    /// <summary>
    /// Where the endpoint was blocked longest in total, among the places where await frees the thread: neither a lock, nor inside a
    /// provider that is synchronous internally, and not allowed.
    /// </summary>
    public BlockingSite? WorstToAwait => _worstToAwait?.Site;

    /// <summary>The evidence for it.</summary>
    public Evidence EvidenceToAwait => _worstToAwait?.Evidence ?? default;

    /// <summary>The same among locks.</summary>
    public BlockingSite? WorstLock => _worstLock?.Site;

    /// <summary>The same as <see cref="WorstToAwait"/>, among the places that a snapshot has seen.</summary>
    public BlockingSite? WorstFromSnapshot => _worstFromSnapshot?.Site;

    /// <summary>The evidence for it.</summary>
    public Evidence SampledEvidence => _worstFromSnapshot?.Evidence ?? default;

    /// <summary>Where it was blocked longest with permission.</summary>
    public BlockingSite? WorstAllowed => _worstAllowed?.Site;

    /// <summary>All time that the sites have counted.</summary>
    public Duration Blocked { get; private set; }

    /// <summary>The allowed part of it.</summary>
    public Duration Allowed { get; private set; }

    /// <summary>
    /// The part inside a provider that is synchronous internally, without allowed time. It leaves out what EF Core's events timed:
    /// the endpoint counts that for every request, and these sums also include old and cold ones.
    /// </summary>
    public Duration InProvider { get; private set; }

    /// <summary>The part at locks, without allowed time.</summary>
    public Duration InLocks { get; private set; }

    /// <summary>
    /// The share of the time at apparent locks, going by the stacks, that was really spent at locks. For example, a call that waits for a
    /// process takes a lock internally.
    /// </summary>
    public double RefinedLocks => _inStackLocks <= Duration.Zero ? 1 : Math.Min(1, InLocks.RatioTo(_inStackLocks));

    /// <summary>The part of <see cref="InLocks"/> that comes from samples.</summary>
    public Duration InSampledLocks { get; private set; }

    /// <summary>
    /// The part in the row that all sites beyond the limit share. Nothing is known about what would help there. Without allowed time.
    /// </summary>
    public Duration Unawaitable { get; private set; }

    /// <summary>
    /// The part at places where most of the requests held up all other writers of their database, without allowed time.
    /// </summary>
    public Duration OfWriters { get; private set; }

    /// <summary>The evidence for all of them together, without what is allowed.</summary>
    public Evidence Evidence { get; private set; }

    /// <summary>How many hits were at places that can be awaited.</summary>
    public int AwaitableHits { get; private set; }

    /// <summary>The provider that blocked longest; null when none was seen.</summary>
    public SynchronousProvider? Provider => _worstInProvider?.Site.Provider;

    /// <summary>The share of the sites' time at <see cref="WorstToAwait"/>, without allowed time.</summary>
    public double ShareToAwait => ShareOf(_worstToAwait?.Blocked);

    /// <summary>The share at <see cref="WorstFromSnapshot"/>.</summary>
    public double WorstFromSnapshotShare => ShareOf(_worstFromSnapshot?.Blocked);

    /// <summary>
    /// Computes all endpoints in one pass: asking every site about every endpoint would be half a million questions in a large app.
    /// </summary>
    public static Dictionary<string, EndpointSites> From(IEnumerable<BlockingSite> sites)
    {
        Dictionary<string, List<(BlockingSite Site, SiteEndpoint Row)>> all = new(StringComparer.Ordinal);
        HashSet<ReportedPlace> places = [];
        HashSet<ReportedPlace> placesOfSeveral = [];
        foreach (var site in sites)
        {
            var place = ReportedPlace.Of(site);
            if (!places.Add(place))
            {
                placesOfSeveral.Add(place);
            }

            foreach (var (endpoint, row) in site.Endpoints)
            {
                if (!all.TryGetValue(endpoint, out var mine))
                {
                    all[endpoint] = mine = [];
                }

                mine.Add((site, row));
            }
        }

        return all.ToDictionary(e => e.Key, e => From(e.Value, placesOfSeveral), StringComparer.Ordinal);
    }

    private static EndpointSites From(List<(BlockingSite Site, SiteEndpoint Row)> rows, HashSet<ReportedPlace> placesOfSeveral)
    {
        // A database's commands are timed in every request, so a single one can have many.
        var isWarm = rows.Where(r => r.Site is { Provider: not { IsDatabase: true }, Allowed: null })
            .Aggregate(default(Evidence), (sum, r) => sum + r.Row.WarmEvidence).IsEnough;
        var mine = new EndpointSites();
        List<(BlockingSite Site, Duration Blocked, Evidence Evidence)>? parts = null;
        foreach (var (site, row) in rows)
        {
            if (isWarm && row.Warm <= Duration.Zero)
            {
                continue;
            }

            var (blocked, evidence) = isWarm ? (row.Warm, row.WarmEvidence) : (site.LastingOf(row), row.Evidence);
            mine.NoteStackLock(site, row, blocked);
            if (placesOfSeveral.Count > 0 && placesOfSeveral.Contains(ReportedPlace.Of(site)))
            {
                (parts ??= []).Add((site, blocked, evidence));
            }
            else
            {
                mine.Add(site, blocked, evidence, site.IsFromSnapshot);
            }
        }

        mine.AddMerged(parts ?? []);
        return mine;
    }

    /// <summary>A sum as a share of the sites' time; 0 when the sites have none.</summary>
    public double PartOf(Duration sum) => Blocked <= Duration.Zero ? 0 : sum.RatioTo(Blocked);

    /// <summary>
    /// The same without EF Core's commands. They were timed in every request and other waits only in the few that were watched, so next to
    /// them, every other wait would look small.
    /// </summary>
    public double PartBesideCommands(Duration sum) => Blocked <= _inCommands ? 0 : sum.RatioTo(Blocked - _inCommands);

    private static void Raise(
        ref (BlockingSite Site, Duration Blocked, Evidence Evidence)? worst, BlockingSite site, Duration blocked, Evidence evidence)
    {
        if (site.At is not null && (worst is not { } known || blocked > known.Blocked))
        {
            worst = (site, blocked, evidence);
        }
    }

    private double ShareOf(Duration? blocked) =>
        blocked is { } time ? time.RatioTo(Duration.Max(Duration.FromNanoseconds(1), Blocked - Allowed)) : 0;

    // Several call sites are one to a reader, and only all of them together show how long it was blocked there.
    private void AddMerged(List<(BlockingSite Site, Duration Blocked, Evidence Evidence)> parts)
    {
        foreach (var place in parts.GroupBy(part => (ReportedPlace.Of(part.Site), part.Site.Provider)))
        {
            Add(
                place.MaxBy(part => part.Blocked).Site,
                place.Aggregate(Duration.Zero, (sum, part) => sum + part.Blocked),
                place.Aggregate(default(Evidence), (sum, part) => sum + part.Evidence),
                place.Any(part => part.Site.IsFromSnapshot));
        }
    }

    // The hook decides by the stack what a lock is. Its share of locks includes the few cold waits that the verdict leaves out.
    private void NoteStackLock(BlockingSite site, SiteEndpoint row, Duration blocked)
    {
        if (site is { StackKind: WaitKind.Lock, Allowed: null })
        {
            _inStackLocks += site.IsOneTimeLock(row) ? Counter.Read(ref row.Blocked) : blocked;
        }
    }

    private void Add(BlockingSite site, Duration blocked, Evidence evidence, bool isFromSnapshot)
    {
        Blocked += blocked;
        if (site.Allowed is not null)
        {
            Allowed += blocked;
            Raise(ref _worstAllowed, site, blocked, evidence);
            return;
        }

        Evidence += evidence;
        OfWriters += site.IsMostlyOfWriters && site.Advice.Limit == WaitPlace.WriteLock ? blocked : Duration.Zero;
        if (site.Provider is not null)
        {
            var commands = site.Kind == WaitKind.EfCore ? Duration.Min(evidence.Measured, blocked) : Duration.Zero;
            _inCommands += commands;
            InProvider += blocked - commands;
            Raise(ref _worstInProvider, site, blocked, evidence);
        }
        else if (site.Kind == WaitKind.Lock)
        {
            InLocks += blocked;
            InSampledLocks += evidence.Sampled;
            Raise(ref _worstLock, site, blocked, evidence);
        }
        else if (site.Kind == WaitKind.Other)
        {
            Unawaitable += blocked;
        }
        else
        {
            AwaitableHits += evidence.Hits;
            Raise(ref _worstToAwait, site, blocked, evidence);
            if (isFromSnapshot)
            {
                Raise(ref _worstFromSnapshot, site, blocked, evidence);
            }
        }
    }
}
