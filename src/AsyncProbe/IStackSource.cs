namespace AsyncProbe;

/// <summary>
/// Tells where threads are: what names the waits that no managed wait shows, such as <c>Thread.Sleep</c>, file I/O and native code.
/// Registered as a singleton service; the package AsyncProbe.StackSnapshots has one. AsyncProbe decides when to ask: while a segment is
/// blocked and nobody knows where, and when a person asks. It asks on a thread made for the purpose, and never twice at once.
/// </summary>
public interface IStackSource
{
    /// <summary>The shortest time between two samples that nobody asked for.</summary>
    TimeSpan Interval { get; }

    /// <summary>Whether <c>POST …/snapshot</c> takes a sample outside Development too.</summary>
    bool AllowsPost { get; }

    /// <summary>Why no sample can be taken here, as a sentence; null when one can.</summary>
    string? NotAvailable { get; }

    /// <summary>
    /// Takes the stacks of threads. May be slow; may throw, and the exception's message is then told as the reason. Both callbacks look at the
    /// threads themselves, so that a stack is believed only if its thread was in one wait from the one to the other: call them right before
    /// and right after the stacks are taken, with nothing slow in between, and again if the stacks are taken again.
    /// </summary>
    /// <param name="begin">Called when sampling begins; gives the operating system's ids of the threads that matter.</param>
    /// <param name="end">Called when it has ended, before methods are looked up.</param>
    /// <returns>
    /// The stacks, taken between the two, of the threads that were found, at most one for each; a thread that changed its place has the place it
    /// was at most.
    /// </returns>
    IReadOnlyList<StackSample> Sample(Func<IReadOnlySet<int>> begin, Action end);
}
