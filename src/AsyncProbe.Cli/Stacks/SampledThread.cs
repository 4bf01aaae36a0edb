using System.Runtime.InteropServices;

namespace AsyncProbe.Cli.Stacks;

/// <summary>The stacks of one thread in one sampling window.</summary>
internal sealed class SampledThread
{
    private readonly Dictionary<ulong[], TimeSpan> _outside = [];
    private readonly Dictionary<ulong[], TimeSpan> _inside = [];

    /// <summary>When it was sampled last, on the clock of <see cref="System.Diagnostics.Stopwatch"/>.</summary>
    public long LastSeen { get; set; }

    /// <summary>The time with each stack outside managed code, where a thread waits or runs native code.</summary>
    public IReadOnlyDictionary<ulong[], TimeSpan> Outside => _outside;

    /// <summary>The time with each stack in managed code, where it runs.</summary>
    public IReadOnlyDictionary<ulong[], TimeSpan> Inside => _inside;

    /// <summary>How long it ran or waited for a core during the window; null if no clock reports it.</summary>
    public TimeSpan? Runnable { get; set; }

    /// <summary>The share of the time outside managed code in which it neither ran nor waited for a core; null when unknown.</summary>
    public double? IdleShare
    {
        get
        {
            var outside = _outside.Values.Aggregate(TimeSpan.Zero, (sum, time) => sum + time);
            var inside = _inside.Values.Aggregate(TimeSpan.Zero, (sum, time) => sum + time);
            return Runnable is { } runnable && outside > TimeSpan.Zero ? Math.Clamp(1 - ((runnable - inside) / outside), 0, 1) : null;
        }
    }

    public void Add(ulong[] stack, bool isOutside, TimeSpan time) =>
        CollectionsMarshal.GetValueRefOrAddDefault(isOutside ? _outside : _inside, stack, out _) += time;
}
