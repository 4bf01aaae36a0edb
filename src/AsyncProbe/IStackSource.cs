namespace AsyncProbe;

/// <summary>
/// Takes the stacks of threads, and so names waits that the wait hook cannot see: <c>Thread.Sleep</c>, file I/O and native code.
/// Register it as a singleton service; the package AsyncProbe.StackSnapshots has one. AsyncProbe decides when to take a snapshot: while a
/// segment is blocked and nobody knows where, and when a person asks. It calls <see cref="Sample"/> on a thread made for the purpose, and
/// never twice at once.
/// </summary>
public interface IStackSource
{
    /// <summary>The shortest time between two snapshots that nobody asked for.</summary>
    TimeSpan Interval { get; }

    /// <summary>Why no snapshot can be taken here, as a sentence; null when one can.</summary>
    string? NotAvailable { get; }

    /// <summary>
    /// Takes a snapshot: the stacks of the threads that matter. It may be slow. It may throw, and the report then gives the exception's
    /// message as the reason. Both callbacks look at the threads themselves, and a stack is believed only if its thread was in one wait from
    /// the first to the second. So call them right before and right after the stacks are taken, with nothing slow in between, and call both
    /// again if the stacks are taken again.
    /// </summary>
    /// <param name="begin">Call it when sampling begins; it returns the operating system's ids of the threads that matter.</param>
    /// <param name="end">Call it when sampling has ended, before methods are looked up.</param>
    /// <returns>
    /// At most one stack for each of those threads, taken between the two callbacks. A thread that moved meanwhile has the stack it had
    /// most often.
    /// </returns>
    IReadOnlyList<StackSample> Sample(Func<IReadOnlySet<int>> begin, Action end);
}
