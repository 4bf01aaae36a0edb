namespace AsyncProbe.StackSnapshots.Trace;

/// <summary>Takes the events of a trace in the order of their blocks.</summary>
internal interface IEventSink
{
    /// <param name="kind">Which event.</param>
    /// <param name="threadId">The operating system's id of the thread that it is about.</param>
    /// <param name="time">When, on the clock of <see cref="System.Diagnostics.Stopwatch"/>.</param>
    /// <param name="stack">Instruction addresses, innermost first, eight bytes each; empty when it has none. Valid during the call.</param>
    /// <param name="payload">Its fields. Valid during the call.</param>
    void OnEvent(EventKind kind, long threadId, long time, ReadOnlySpan<byte> stack, ReadOnlySpan<byte> payload);
}

/// <summary>The events that matter here.</summary>
internal enum EventKind
{
    Other,

    /// <summary>A thread's stack at one moment.</summary>
    ThreadSample,

    /// <summary>A compiled method: where its code lies and what it is.</summary>
    Method,

    /// <summary>Which instruction of the compiled code belongs to which of the source's.</summary>
    IlToNativeMap,

    /// <summary>A loaded module.</summary>
    Module,
}
