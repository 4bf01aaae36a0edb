namespace AsyncProbe.StackSnapshots.Trace;

/// <summary>Records when each wanted thread was outside managed code, and its stack.</summary>
internal sealed class WindowStacks(Func<IReadOnlySet<int>> begin) : SampleSink(begin, static () => { })
{
    // Enough for hundreds of threads during a third of a second. A waiting thread has the same stack in many samples, so more samples would
    // add nothing.
    private const int MostSamples = 100_000;

    private readonly List<(int Thread, long Time, ulong[] Stack)> _samples = [];
    private readonly DistinctStacks _stacks = new(most: 2_000);

    /// <summary>Returns the samples for whose thread and time the predicate returns true. It is called oldest first.</summary>
    public IEnumerable<(int OsThreadId, long Time, ulong[] Addresses)> Where(Func<int, long, bool> isWanted) =>
        _samples.OrderBy(sample => sample.Time).Where(sample => isWanted(sample.Thread, sample.Time));

    protected override void Take(int threadId, long time, ReadOnlySpan<byte> stack)
    {
        if (_samples.Count < MostSamples && _stacks.Keep(stack) is { } kept)
        {
            _samples.Add((threadId, time, kept));
        }
    }
}
