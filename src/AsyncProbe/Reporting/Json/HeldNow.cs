using AsyncProbe.Common;
using AsyncProbe.Pool.Diagnosis;
using AsyncProbe.Pool.Sampling;
using AsyncProbe.Rules;

namespace AsyncProbe.Reporting.Json;

/// <summary>The report's rows of threads held right now. Threads that wait at the same place for the same endpoint share a row.</summary>
internal static class HeldNow
{
    public static List<NowReport> Describe(IEnumerable<LiveSegment> segments, IWaitFinder waits)
    {
        Dictionary<(string Endpoint, string? At, bool Looked), (LiveSegment Longest, int Threads)> rows = [];
        foreach (var seen in segments)
        {
            // The watcher's list is a moment old, so read the segment again and skip it if it has ended.
            if (seen.Now() is not { } segment)
            {
                continue;
            }

            var wait = waits.Find(segment);
            var key = (segment.Probe.Totals?.Endpoint ?? RowNames.Unmatched, wait.At, wait.Seen != WaitsSeen.NotLooked);
            var known = rows.GetValueOrDefault(key, (Longest: segment, Threads: 0));
            rows[key] = (known.Longest.Held >= segment.Held ? known.Longest : segment, known.Threads + 1);
        }

        return [.. rows.OrderByDescending(r => r.Value.Longest.Held).Select(
            r => Row(r.Key.Endpoint, r.Key.At, r.Key.Looked, r.Value, waits))];
    }

    private static NowReport Row(string endpoint, string? at, bool looked, (LiveSegment Longest, int Threads) row, IWaitFinder waits) =>
        new(
        endpoint,
        row.Threads,
        row.Longest.Held.ToMilliseconds(),
        row.Longest.Cpu?.ToMilliseconds(),
        at,
        looked,
        at is null && !looked && row.Longest.IsBlocked
            ? waits.WorstOf(endpoint, row.Longest.Probe.Totals?.WaitsSeen == WaitsSeen.NothingFound)
            : null);
}
