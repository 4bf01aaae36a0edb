using AsyncProbe.Common;

namespace AsyncProbe.Requests;

/// <summary>
/// The wait hook that a request carries from thread to thread, as the segment handler sees it. Only armed requests have one: the handler
/// checks for null first, so other requests pay nothing.
/// </summary>
/// <param name="context">The context that the hook puts on threads.</param>
internal abstract class CarriedHook(SynchronizationContext context)
{
    public SynchronizationContext Context { get; } = context;

    /// <summary>False once the hook was removed. Later blocking isn't seen and shows nothing about the endpoint.</summary>
    public abstract bool IsWatchedToTheEnd { get; }

    /// <summary>
    /// Puts the hook on the thread that the request arrives on, but never over a context that user code set. Part of the segment handler:
    /// no lock, no allocation, no exception.
    /// </summary>
    public abstract void Arrive(ThreadSlot slot, Timestamp now);

    /// <summary>The request leaves a thread that carries the hook for it. Also part of the segment handler.</summary>
    public abstract void Depart(ThreadSlot slot);

    /// <summary>Removes the hook from the request and from the calling thread.</summary>
    public abstract void Disarm();

    /// <summary>The request has ended. Work that it leaves behind may still carry the hook.</summary>
    public abstract void End();
}
