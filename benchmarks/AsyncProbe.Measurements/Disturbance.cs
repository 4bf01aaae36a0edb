using System.Diagnostics;

namespace AsyncProbe.Measurements;

/// <summary>
/// What sampling windows cost a server under steady load in throughput: the rate during a window and shortly after it, compared with the
/// rate right before it. The machine drifts more slowly than that, and windows are far too rare to show in a comparison of two servers.
/// </summary>
internal sealed class Disturbance
{
    private static readonly TimeSpan s_turn = TimeSpan.FromMilliseconds(100);

    // A window's samples are read and named after it has ended.
    private static readonly TimeSpan s_aftermath = TimeSpan.FromSeconds(1);
    private static readonly TimeSpan s_before = TimeSpan.FromSeconds(3);

    private readonly List<Turn> _turns = [];

    /// <summary>The number of windows with a known rate before them.</summary>
    public int Windows => Events().Count;

    public double RequestsPerSecond => _turns.Sum(turn => turn.Requests) / _turns.Sum(turn => turn.Length.TotalSeconds);

    /// <summary>The share of the time within a window or its aftermath.</summary>
    public double DisturbedShare => _turns.Where(turn => turn.IsDisturbed).Sum(turn => turn.Length.TotalSeconds) / Seconds;

    /// <summary>The throughput relative to what it would have been without windows.</summary>
    public double Ratio => RatioOf(Events());

    private double Seconds => _turns.Sum(turn => turn.Length.TotalSeconds);

    /// <summary>Bootstraps the interval: repeatedly draws as many windows as there are.</summary>
    public (double Low, double High) Interval()
    {
        var random = new Random(1);
        var events = Events();
        var ratios = Enumerable.Range(0, 2000)
            .Select(_ => RatioOf([.. Enumerable.Range(0, events.Count).Select(_ => events[random.Next(events.Count)])])).ToList();
        return (ratios.Percentile(0.025), ratios.Percentile(0.975));
    }

    /// <summary>Counts responses until the time is over.</summary>
    /// <param name="answered">Returns the number of responses so far.</param>
    /// <param name="isWindow">Returns whether a window is in progress.</param>
    /// <param name="duration">How long to watch.</param>
    public async Task WatchAsync(Func<long> answered, Func<bool> isWindow, TimeSpan duration)
    {
        var clock = Stopwatch.StartNew();
        TimeSpan? seen = null;
        while (clock.Elapsed < duration)
        {
            var (since, before) = (clock.Elapsed, answered());
            var isUnderWay = isWindow();
            await Task.Delay(s_turn / 2);
            isUnderWay |= isWindow();
            await Task.Delay(s_turn / 2);
            isUnderWay |= isWindow();
            var (now, after) = (clock.Elapsed, answered());
            seen = isUnderWay ? now : seen;
            _turns.Add(new Turn(now - since, after - before, seen is { } last && now - last < s_aftermath));
        }
    }

    // The requests that were lost, divided by those answered plus those lost. There is one value for each window.
    private double RatioOf(IReadOnlyCollection<double> lost) => 1 - (lost.Sum() / (_turns.Sum(turn => turn.Requests) + lost.Sum()));

    private List<double> Events()
    {
        List<double> events = [];
        for (var i = 0; i < _turns.Count;)
        {
            if (!_turns[i].IsDisturbed)
            {
                i++;
                continue;
            }

            var disturbed = _turns.Skip(i).TakeWhile(turn => turn.IsDisturbed).ToList();
            var quiet = _turns.Take(i).Reverse().TakeWhile(turn => !turn.IsDisturbed).Take((int)(s_before / s_turn)).ToList();
            i += disturbed.Count;
            if (quiet.Count > 0)
            {
                var rate = quiet.Sum(turn => turn.Requests) / quiet.Sum(turn => turn.Length.TotalSeconds);
                events.Add((rate * disturbed.Sum(turn => turn.Length.TotalSeconds)) - disturbed.Sum(turn => turn.Requests));
            }
        }

        return events;
    }

    private sealed record Turn(TimeSpan Length, long Requests, bool IsDisturbed);
}
