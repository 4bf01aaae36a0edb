using AsyncProbe.Common;

namespace AsyncProbe.Requests;

/// <summary>
/// The wait hook that a request carries from thread to thread, as the segment handler knows it. A class and not an interface, and made for
/// armed requests alone: the handler asks for null first, so a request without it pays nothing.
/// </summary>
/// <param name="context">What stands on the threads.</param>
internal abstract class CarriedHook(SynchronizationContext context)
{
    public SynchronizationContext Context { get; } = context;

    /// <summary>False once the hook was taken away: what blocks later is not seen, and tells nothing about the endpoint.</summary>
    public abstract bool IsWatchedToTheEnd { get; }

    /// <summary>
    /// The request arrives on a thread: puts the hook there, but never over a context that user code set. Part of the segment handler: no
    /// lock, no allocation, no exception.
    /// </summary>
    public abstract void Arrive(ThreadSlot slot, Timestamp now);

    /// <summary>The request leaves a thread that has the hook for it. Part of the segment handler too.</summary>
    public abstract void Depart(ThreadSlot slot);

    /// <summary>Takes the hook away again, from the calling thread too.</summary>
    public abstract void Disarm();

    /// <summary>The request has ended. What it leaves behind may still carry the hook.</summary>
    public abstract void End();
}
