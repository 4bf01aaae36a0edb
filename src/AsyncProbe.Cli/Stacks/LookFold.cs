using AsyncProbe.Blocking.Kinds;
using AsyncProbe.StackSnapshots.Methods;

namespace AsyncProbe.Cli.Stacks;

/// <summary>Groups the stacks from all windows by the lines to blame.</summary>
internal sealed class LookFold
{
    /// <summary>With fewer hits, a share would be a guess.</summary>
    private const int FewestHits = 5;

    private readonly Dictionary<ulong, RemoteFrame> _frames;
    private readonly RemoteBlame _blame;
    private readonly Dictionary<ulong[], RemotePlace?> _places = new(StackComparer.Instance);

    public LookFold(RemoteModules modules, MethodSearch search)
    {
        _frames = search.Found.ToDictionary(
            found => found.Key,
            found => RemoteFrame.From(found.Value, search.ModulePaths.GetValueOrDefault(found.Value.ModuleId) ?? ""));
        _blame = new RemoteBlame(modules);
    }

    public LookResult Fold(IReadOnlyList<SampledWindow> windows)
    {
        var sampled = windows.Aggregate(TimeSpan.Zero, (sum, window) => sum + window.Length);
        var (busy, rows) = (TimeSpan.Zero, new Dictionary<RemotePlace, Row>());
        foreach (var thread in windows.SelectMany(window => window.Threads.Values))
        {
            HashSet<RemotePlace> hits = [];
            foreach (var (stack, time) in thread.Inside.Where(seen => IsOfPool(seen.Key)))
            {
                busy += time;
            }

            foreach (var (stack, time) in thread.Outside.Where(seen => IsOfPool(seen.Key)))
            {
                busy += time;
                if (PlaceOf(stack) is { } place && Blocked(thread, time, MayRun(place, stack)) is { Ticks: > 0 } blocked)
                {
                    var row = rows.TryGetValue(place, out var known) ? known : rows[place] = new Row();
                    row.Time += blocked;
                    row.Hits += hits.Add(place) ? 1 : 0;
                }
            }
        }

        return new()
        {
            SampledMs = Round(sampled.TotalMilliseconds),
            Windows = windows.Count,
            BusyThreads = Threads(busy, sampled),
            BlockedThreads = Threads(rows.Values.Aggregate(TimeSpan.Zero, (sum, row) => sum + row.Time), sampled),
            Lines = [.. rows.OrderByDescending(row => row.Value.Time).Select(row => Line(row.Key, row.Value, sampled))],
        };
    }

    private static BlockedLine Line(RemotePlace place, Row row, TimeSpan sampled) => new()
    {
        At = place.File is null ? place.Method : $"{place.Method} ({Path.GetFileName(place.File)}:{place.Line})",
        Method = place.Method,
        File = place.File,
        Line = place.Line,
        Kind = place.Kind.Name(),
        Remedy = place.Kind.Remedy(),
        Hits = row.Hits,
        BlockedMs = Round(row.Time.TotalMilliseconds),
        Threads = row.Hits >= FewestHits ? Threads(row.Time, sampled) : null,
    };

    // If the thread may be running, only its idle time counts. If its clock is unknown, none of its time does.
    private static TimeSpan Blocked(SampledThread thread, TimeSpan time, bool mayRun) => mayRun ? time * (thread.IdleShare ?? 0) : time;

    // A thread that initializes a type has the same stack as a thread that waits for the type.
    private bool MayRun(RemotePlace place, ulong[] stack) =>
        place.Kind == WaitKind.Native
        || stack.Select(address => _frames.GetValueOrDefault(address)).FirstOrDefault(frame => frame is { Kind: not WaitKind.Other })
            is { IsTypeStart: true };

    private bool IsOfPool(ulong[] stack) =>
        Array.Exists(stack, address => _frames.TryGetValue(address, out var frame) && frame.BeginsPoolWork);

    private RemotePlace? PlaceOf(ulong[] stack)
    {
        if (!_places.TryGetValue(stack, out var place))
        {
            _places[stack] = place = _blame.Find([.. stack.Select(address => _frames.GetValueOrDefault(address))]);
        }

        return place;
    }

    private static double Threads(TimeSpan time, TimeSpan sampled) => sampled > TimeSpan.Zero ? Round(time / sampled) : 0;

    private static double Round(double value) => Math.Round(value, 1);

    private sealed class Row
    {
        public TimeSpan Time { get; set; }

        public int Hits { get; set; }
    }
}
