using AsyncProbe.Cli.Statistics;

namespace AsyncProbe.Cli.Load;

/// <summary>The recorders of all cores and the time they measure; merged once, at the end.</summary>
internal sealed class Recorders(int requests)
{
    private readonly Recorder[] _perCore = [.. Enumerable.Range(0, Environment.ProcessorCount).Select(_ => new Recorder(requests))];
    private long _ended;

    private volatile MeasuredTime _measured = new(0, long.MaxValue);

    public MeasuredTime Measured { get => _measured; set => _measured = value; }

    /// <summary>All requests so far, including the warm-up.</summary>
    public long Ended => Interlocked.Read(ref _ended);

    public void Record(in Outcome outcome)
    {
        Interlocked.Increment(ref _ended);
        _perCore[Thread.GetCurrentProcessorId() % _perCore.Length].Record(outcome, Measured);
    }

    public MergedTallies Merge()
    {
        var (sums, carriedOver) = (Tally.Many(requests), Tally.Many(requests));
        long lastEnded = 0;
        foreach (var recorder in _perCore)
        {
            lastEnded = Math.Max(lastEnded, recorder.AddTo(sums, carriedOver));
        }

        return new MergedTallies(sums, carriedOver, lastEnded);
    }

    public (Histogram Latencies, long Failed) TakeSecond()
    {
        var latencies = new Histogram(Histogram.CoarseBits);
        long failed = 0;
        foreach (var recorder in _perCore)
        {
            var (part, partFailed) = recorder.TakeSecond();
            latencies.Add(part);
            failed += partFailed;
        }

        return (latencies, failed);
    }
}
