namespace AsyncProbe.StackSnapshots.Trace;

/// <summary>Receives the events of a trace in the order of their blocks.</summary>
internal interface IEventSink
{
    /// <param name="kind">The kind of event.</param>
    /// <param name="threadId">The operating system's id of the thread that the event is about.</param>
    /// <param name="time">The event's time, on the clock of <see cref="System.Diagnostics.Stopwatch"/>.</param>
    /// <param name="stack">
    /// The instruction addresses, innermost first, eight bytes each; empty when it has none. Valid only during the call.
    /// </param>
    /// <param name="payload">The event's fields. Valid only during the call.</param>
    void OnEvent(EventKind kind, long threadId, long time, ReadOnlySpan<byte> stack, ReadOnlySpan<byte> payload);
}

/// <summary>The events that are used here.</summary>
internal enum EventKind
{
    Other,

    /// <summary>A thread's stack at one moment.</summary>
    ThreadSample,

    /// <summary>A compiled method: its token and the location of its code.</summary>
    Method,

    /// <summary>A method's map from IL offsets to offsets in the compiled code.</summary>
    IlToNativeMap,

    /// <summary>A loaded module.</summary>
    Module,
}
