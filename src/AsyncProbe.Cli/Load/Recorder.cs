using System.Diagnostics;
using AsyncProbe.Cli.Statistics;

namespace AsyncProbe.Cli.Load;

/// <summary>
/// One core's share of the figures. The lock is almost never contended because each thread uses its core's recorder.
/// </summary>
internal sealed class Recorder
{
    /// <summary>A request sent later than this after its planned start counts as a late start.</summary>
    public static readonly long LateAfter = Stopwatch.Frequency / 500;

    private readonly Lock _lock = new();
    private readonly Tally[] _tallies;
    private readonly Tally[] _carriedOver;
    private Histogram _second = new(Histogram.CoarseBits);
    private long _secondFailed;

    private long _lastEnded;

    public Recorder(int requests)
    {
        _tallies = Tally.Many(requests);
        _carriedOver = Tally.Many(requests);
    }

    public void Record(in Outcome outcome, MeasuredTime measured)
    {
        var latency = Nanoseconds(outcome.Ended - outcome.Planned);
        lock (_lock)
        {
            _second.Record(latency);
            _secondFailed += outcome.Failure is null ? 0 : 1;
            var tally = _tallies[outcome.Request];
            if (measured.HoldsEnd(outcome.Ended))
            {
                tally.EndedInTime++;
                tally.AnsweredInTime += outcome.Status == 0 ? 0 : 1;
                tally.EndedSettled += measured.IsSettled(outcome.Ended) ? 1 : 0;
            }

            if (measured.HoldsStart(outcome.Planned))
            {
                Count(tally, outcome, latency);
            }
            else if (measured.IsCarriedOver(outcome.Planned, outcome.Ended))
            {
                Count(_carriedOver[outcome.Request], outcome, latency);
            }

            _lastEnded = Math.Max(_lastEnded, outcome.Ended);
        }
    }

    /// <summary>Adds the figures to the sums and returns when the last answer came.</summary>
    public long AddTo(Tally[] sums, Tally[] carriedOver)
    {
        lock (_lock)
        {
            for (var i = 0; i < sums.Length; i++)
            {
                sums[i].Add(_tallies[i]);
                carriedOver[i].Add(_carriedOver[i]);
            }

            return _lastEnded;
        }
    }

    /// <summary>Returns the second that has just passed and begins the next.</summary>
    public (Histogram Latencies, long Failed) TakeSecond()
    {
        lock (_lock)
        {
            var taken = (_second, _secondFailed);
            _second = new Histogram(Histogram.CoarseBits);
            _secondFailed = 0;
            return taken;
        }
    }

    private static void Count(Tally tally, in Outcome outcome, long latency)
    {
        tally.BytesReceived += outcome.BytesReceived;
        tally.BytesSent += outcome.BytesSent;
        tally.AddStatus(outcome.Status, 1);
        if (outcome.Sent != outcome.Planned)
        {
            tally.SendLag.Record(Nanoseconds(outcome.Sent - outcome.Planned));
        }

        tally.Late += outcome.Sent - outcome.Planned > LateAfter ? 1 : 0;
        if (outcome.Failure is { } reason)
        {
            tally.FailedTimes.Record(latency);
            tally.AddReason(reason, 1);
            return;
        }

        tally.Succeeded.Record(latency);
        if (outcome.Sent != outcome.Planned)
        {
            tally.FromSend.Record(Nanoseconds(outcome.Ended - outcome.Sent));
        }
    }

    private static long Nanoseconds(long ticks) => (long)(ticks * (1e9 / Stopwatch.Frequency));
}
