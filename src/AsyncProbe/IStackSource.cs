namespace AsyncProbe;

/// <summary>
/// Takes stacks of threads to name waits that the wait hook cannot see: <c>Thread.Sleep</c>, file I/O and native code. Register it as a
/// singleton service; the package AsyncProbe.StackSnapshots has one. AsyncProbe decides when to take a snapshot: while a segment is blocked
/// at an unknown place, and when a user requests one. It calls <see cref="Sample"/> on a dedicated thread, and never twice at the same
/// time.
/// </summary>
public interface IStackSource
{
    /// <summary>The shortest time between two automatic snapshots.</summary>
    TimeSpan Interval { get; }

    /// <summary>Why snapshots are not available here, as a sentence; null if they are.</summary>
    string? NotAvailable { get; }

    /// <summary>
    /// Takes a snapshot: the stacks of the threads that matter. It may be slow. If it throws, the report gives the exception's message as
    /// the reason. Both callbacks check the threads themselves, and AsyncProbe trusts a stack only if its thread was in one wait from the
    /// first callback to the second. So call them right before and right after taking the stacks, with nothing slow in between. If you take
    /// the stacks again, call both again.
    /// </summary>
    /// <param name="begin">Call it when sampling begins; it returns the operating system's ids of the threads that matter.</param>
    /// <param name="end">Call it when sampling has ended, before you look up methods.</param>
    /// <returns>
    /// At most one stack for each of those threads, taken between the two callbacks. For a thread that moved in between, return the stack
    /// it had most often.
    /// </returns>
    IReadOnlyList<StackSample> Sample(Func<IReadOnlySet<int>> begin, Action end);

    /// <summary>
    /// Whether AsyncProbe may call <see cref="SampleWindow"/>. It does so for endpoints whose blocked time no call site explains, because
    /// their waits may be too short for <see cref="Sample"/>. Default false.
    /// </summary>
    bool HasWindows => false;

    /// <summary>
    /// Repeatedly takes the stacks of the threads that matter: about once a millisecond, for a few tenths of a second. During that time
    /// AsyncProbe watches the threads' clocks, and it keeps a stack only if its thread did nothing else right before and right after.
    /// Called in the same way as <see cref="Sample"/>, and never at the same time.
    /// </summary>
    /// <param name="begin">Call it when sampling begins; it returns the operating system's ids of the threads that matter.</param>
    /// <param name="watch">Call it on any thread once sampling has begun, and end sampling when it returns.</param>
    /// <param name="isWanted">
    /// Call it afterwards for each sample, oldest first, with the thread's id and the sample's time on the clock of
    /// <see cref="System.Diagnostics.Stopwatch"/>. Only a few samples are wanted, so look up methods only for those.
    /// </param>
    /// <returns>The wanted samples, with their <see cref="StackSample.Timestamp"/>. The default implementation returns none.</returns>
    IReadOnlyList<StackSample> SampleWindow(Func<IReadOnlySet<int>> begin, Action watch, Func<int, long, bool> isWanted) => [];
}
