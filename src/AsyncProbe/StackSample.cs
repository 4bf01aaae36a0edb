namespace AsyncProbe;

/// <summary>The stack of one thread, taken by an <see cref="IStackSource"/>.</summary>
public sealed class StackSample
{
    /// <summary>The operating system's id of the thread.</summary>
    public required int OsThreadId { get; init; }

    /// <summary>
    /// When the stack was taken, on the clock of <see cref="System.Diagnostics.Stopwatch"/>. Needed only in a sampling window. Default 0.
    /// </summary>
    public long Timestamp { get; init; }

    /// <summary>The thread's frames, innermost first. Frames with an unknown method are left out.</summary>
    public required IReadOnlyList<SampledFrame> Frames { get; init; }

    /// <summary>What is known about the innermost frame, which may be missing from <see cref="Frames"/>.</summary>
    internal InnermostFrame Innermost { get; init; }
}
