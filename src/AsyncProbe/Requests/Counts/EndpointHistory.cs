using AsyncProbe.Common;
using AsyncProbe.Rules;

namespace AsyncProbe.Requests.Counts;

/// <summary>
/// An endpoint's sums at the end of each of its last busy intervals. An interval without a request leaves no entry, so an idle endpoint
/// keeps its verdict. The watcher writes it and reports read it; requests never touch it.
/// </summary>
internal sealed class EndpointHistory
{
    /// <summary>Two minutes in which the endpoint was busy.</summary>
    public const int Intervals = 24;

    // The last seconds are enough on their own if they contain this many intervals and requests.
    private const int RecentIntervals = 2;
    private const int RecentRequests = 20;

    // If the endpoint behaved differently in fewer requests than this share, leaving them out is not worth saying.
    private const double ShareWorthSaying = 0.1;

    // With fewer, an interval that happened to see an empty queue would represent all of them.
    private const int CalmRequests = Verdicts.RequestsNeeded;

    private readonly Lock _lock = new();
    private readonly List<Mark> _marks = [];

    /// <summary>Ends an interval.</summary>
    /// <param name="sum">All warm requests until now.</param>
    /// <param name="pool">The pool during the interval.</param>
    public void Close(RequestSums sum, PoolInterval pool)
    {
        lock (_lock)
        {
            var last = _marks.Count > 0 ? _marks[^1] : default;
            var requests = sum.Requests - last.Sum.Requests;
            if (requests <= 0)
            {
                return;
            }

            if (_marks.Count > Intervals)
            {
                _marks.RemoveAt(0);
            }

            _marks.Add(last.Next(sum, requests, pool));
        }
    }

    /// <param name="sum">All warm requests until now.</param>
    /// <param name="pool">The pool since the last interval ended.</param>
    /// <param name="isMixed">
    /// Whether the row collects requests that have nothing in common. When others arrive, none of them has begun to behave differently.
    /// </param>
    public EndpointWindow Read(RequestSums sum, PoolInterval pool, bool isMixed = false)
    {
        lock (_lock)
        {
            var last = _marks.Count > 0 ? _marks[^1] : default;
            var requests = sum.Requests - last.Sum.Requests;

            // Requests since the last mark belong to the current interval.
            var now = requests > 0 ? last.Next(sum, requests, pool) : last with { Sum = sum };
            var first = _marks.Count > Intervals ? 0 : -1;
            var recent = FirstOfRecent(now, first);
            var (later, earlier) = (now.Sum - At(recent).Sum, At(recent).Sum - At(first).Sum);
            var hasChanged = !isMixed && recent > first && Change.Between(later, earlier);
            return WindowFrom(
                hasChanged ? recent : first, now, hasChanged && earlier.Requests > later.Requests * ShareWorthSaying);
        }
    }

    private int FirstOfRecent(Mark now, int first)
    {
        var index = Math.Max(first, _marks.Count - 1 - RecentIntervals);
        while (index > first && now.Sum.Requests - At(index).Sum.Requests < RecentRequests)
        {
            index--;
        }

        return index;
    }

    private EndpointWindow WindowFrom(int from, Mark now, bool hasChanged)
    {
        var since = At(from);
        var threads = now.MostThreads;
        for (var i = from + 1; i < _marks.Count; i++)
        {
            threads = Math.Max(threads, _marks[i].MostThreads);
        }

        var sum = now.Sum - since.Sum;
        var queueDelay = sum.Requests <= 0 ? Duration.Zero : Duration.FromSeconds((now.Queued - since.Queued) / sum.Requests);
        var (calm, calmDelay) = FindCalm(from, now);
        return new EndpointWindow(sum, threads, queueDelay, hasChanged) { Calm = calm, CalmQueueDelay = calmDelay };
    }

    // The load of other endpoints makes the queue long for a while. The requests that ran while it was short say more.
    private (RequestSums Sum, Duration QueueDelay) FindCalm(int from, Mark now)
    {
        var (calm, shortest) = (default(RequestSums), Duration.Zero);
        for (var i = from; i < _marks.Count; i++)
        {
            var (before, after) = (At(i), i + 1 < _marks.Count ? _marks[i + 1] : now);
            var sum = after.Sum - before.Sum;
            if (sum.Requests < CalmRequests)
            {
                continue;
            }

            var delay = Duration.FromSeconds((after.Queued - before.Queued) / sum.Requests);
            if (calm.Requests == 0 || delay < shortest)
            {
                (calm, shortest) = (sum, delay);
            }
        }

        return (calm, shortest);
    }

    /// <summary>Nothing was counted before the first mark.</summary>
    private Mark At(int index) => index < 0 ? default : _marks[index];

    /// <param name="Sum">All warm requests until then.</param>
    /// <param name="MostThreads">The highest number of pool threads in the interval that ended then.</param>
    /// <param name="Queued">The sum of the queue delay at each request until then, in seconds: nanoseconds would overflow 64 bits.</param>
    private readonly record struct Mark(RequestSums Sum, int MostThreads, double Queued)
    {
        public Mark Next(RequestSums sum, long requests, PoolInterval pool) =>
            new(sum, pool.MostThreads, Queued + (requests * pool.QueueDelay.TotalSeconds));
    }
}
