using System.Diagnostics;
using System.Runtime.InteropServices;
using AsyncProbe.StackSnapshots.Trace;

namespace AsyncProbe.Cli.Stacks;

/// <summary>
/// Adds up how long each thread of a process was seen with each stack, in one sampling window. A thread's sample stands for the time since
/// its previous one.
/// </summary>
internal sealed class SampledWindow : IEventSink
{
    private readonly Dictionary<int, SampledThread> _threads = [];
    private readonly DistinctStacks _stacks = new(most: 20_000);
    private long _first;
    private long _last;

    /// <summary>False if the runtime doesn't sample threads at all, or had no time to.</summary>
    public bool HasSamples => _threads.Count > 0;

    /// <summary>The time between the first and the last sample.</summary>
    public TimeSpan Length => Stopwatch.GetElapsedTime(_first, _last);

    public IReadOnlyDictionary<int, SampledThread> Threads => _threads;

    public void OnEvent(EventKind kind, long threadId, long time, ReadOnlySpan<byte> stack, ReadOnlySpan<byte> payload)
    {
        if (kind != EventKind.ThreadSample)
        {
            return;
        }

        _first = _first == 0 ? time : _first;
        _last = Math.Max(_last, time);
        ref var thread = ref CollectionsMarshal.GetValueRefOrAddDefault(_threads, (int)threadId, out _);
        thread ??= new();
        var since = thread.LastSeen;
        thread.LastSeen = time;
        if (since > 0 && time > since && !stack.IsEmpty && _stacks.Keep(stack) is { } kept)
        {
            thread.Add(kept, ThreadSampleEvent.IsOutsideManagedCode(payload), Stopwatch.GetElapsedTime(since, time));
        }
    }
}
