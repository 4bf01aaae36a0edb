namespace AsyncProbe;

/// <summary>A call site that blocked a thread, found by <see cref="BlockingGuard"/>.</summary>
public sealed class BlockingCall
{
    internal BlockingCall()
    {
    }

    /// <summary>
    /// The kind of wait, such as <c>Task.Wait</c> or <c>Lock</c>; <c>Unseen</c> for blocked time that only the thread's clock noticed.
    /// </summary>
    public required string Kind { get; init; }

    /// <summary>
    /// Type and method of the first frame of your own code, or of the library if no frame is yours. A description for blocked time that
    /// only the thread's clock noticed.
    /// </summary>
    public required string At { get; init; }

    /// <summary>The source file; null without symbols.</summary>
    public string? File { get; init; }

    /// <summary>The line in <see cref="File"/>, counted from 1; null without symbols.</summary>
    public int? Line { get; init; }

    /// <summary>How many waits took a millisecond or more; 0 for blocked time that only the thread's clock noticed.</summary>
    public required long Count { get; init; }

    /// <summary>How long it blocked the thread in total.</summary>
    public required TimeSpan Blocked { get; init; }

    /// <summary>The stack of the first wait, innermost frame first; empty for blocked time that only the thread's clock noticed.</summary>
    public IReadOnlyList<string> Stack { get; init; } = [];
}
