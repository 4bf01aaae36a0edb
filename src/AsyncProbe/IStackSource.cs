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
    /// message as the reason. Both callbacks look at the threads themselves, and a stack is believed only if its thread was in one wait
    /// from the first to the second. So call them right before and right after the stacks are taken, with nothing slow in between, and call
    /// both again if the stacks are taken again.
    /// </summary>
    /// <param name="begin">Call it when sampling begins; it returns the operating system's ids of the threads that matter.</param>
    /// <param name="end">Call it when sampling has ended, before methods are looked up.</param>
    /// <returns>
    /// At most one stack for each of those threads, taken between the two callbacks. A thread that moved meanwhile has the stack it had
    /// most often.
    /// </returns>
    IReadOnlyList<StackSample> Sample(Func<IReadOnlySet<int>> begin, Action end);

    /// <summary>
    /// Whether <see cref="SampleWindow"/> may be called, for endpoints whose blocked time no call site explains: their waits may be too
    /// short for <see cref="Sample"/>. Default false.
    /// </summary>
    bool HasWindows => false;

    /// <summary>
    /// Takes the stacks of the threads that matter again and again, about once a millisecond, for a few tenths of a second. AsyncProbe
    /// watches the threads' clocks meanwhile, and keeps a stack only if its thread did nothing else right before and right after. Called as
    /// <see cref="Sample"/> is, and never at once with it.
    /// </summary>
    /// <param name="begin">Call it when sampling begins; it returns the operating system's ids of the threads that matter.</param>
    /// <param name="watch">Call it when sampling has begun, on any thread, and end sampling when it returns.</param>
    /// <param name="isWanted">
    /// Ask it afterwards about each sample, oldest first, with the thread's id and the sample's time on the clock of
    /// <see cref="System.Diagnostics.Stopwatch"/>. Few are wanted, so look up methods for those alone.
    /// </param>
    /// <returns>The wanted samples, with their <see cref="StackSample.Timestamp"/>. By default none.</returns>
    IReadOnlyList<StackSample> SampleWindow(Func<IReadOnlySet<int>> begin, Action watch, Func<int, long, bool> isWanted) => [];
}
