namespace AsyncProbe;

/// <summary>The stack of one thread, taken by an <see cref="IStackSource"/>.</summary>
public sealed class StackSample
{
    /// <summary>The operating system's id of the thread.</summary>
    public required int OsThreadId { get; init; }

    /// <summary>
    /// When it was taken, on the clock of <see cref="System.Diagnostics.Stopwatch"/>. Needed in a window only; 0 by default.
    /// </summary>
    public long Timestamp { get; init; }

    /// <summary>The thread's frames, innermost first. Frames whose method is not known are left out.</summary>
    public required IReadOnlyList<SampledFrame> Frames { get; init; }

    /// <summary>The innermost frame, which <see cref="Frames"/> may lack.</summary>
    internal InnermostFrame Innermost { get; init; }
}
