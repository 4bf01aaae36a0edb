using System.Diagnostics;
using AsyncProbe.Common;

namespace AsyncProbe.Requests;

/// <summary>
/// The way from an activity to the account of its operation, and back. Most are stopped in their own flow on the thread that started them,
/// and are found by that flow. Only where the flow leaves the thread is the account kept with the activity, as a custom property: .NET
/// makes a dictionary for it.
/// </summary>
/// <param name="probe">The operation's account.</param>
/// <param name="activity">The operation's activity.</param>
/// <param name="outer">What the flow belongs to where the activity was started.</param>
internal sealed class OperationFlow(RequestProbe probe, Activity activity, RequestProbe? outer)
{
    private const string Property = "AsyncProbe.Operation";

    // Null as soon as nobody needs it to find the operation.
    private Activity? _activity = activity;
    private RequestProbe? _outer = outer;
    private ExecutionContext? _before;
    private ExecutionContext? _entered;

    /// <summary>The operation of an activity, in whatever flow that is stopped; null when it has none, or has one no more.</summary>
    /// <param name="activity">The activity.</param>
    /// <param name="current">What the calling flow belongs to.</param>
    public static RequestProbe? Find(Activity activity, RequestProbe? current)
    {
        if (current?.Operation is { } here && here._activity == activity)
        {
            return current;
        }

        // A thread sets the property before it is no longer seen to run the operation: who misses both finds it at the second look.
        return (activity.GetCustomProperty(Property) ?? FindRunning(activity) ?? activity.GetCustomProperty(Property)) as RequestProbe;
    }

    /// <summary>
    /// Begins the operation in the calling flow. Nothing but <see cref="Exit"/> puts back what was there.
    /// </summary>
    public void Enter()
    {
        _before = ExecutionContext.Capture();
        var isFollowed = ThreadSegments.EnterHere(probe);
        _entered = ExecutionContext.Capture();
        if (!isFollowed)
        {
            MakeFindable();
        }
    }

    /// <summary>Gives the calling flow, which is the operation's, back to what it belonged to before.</summary>
    /// <returns>The moment of leaving.</returns>
    public Timestamp Exit()
    {
        // First, or the thread that leaves now would make it findable.
        _activity = null;

        // To put the context back is cheaper than to set its value, which makes a new one. But the operation's code may have set values of
        // its own, and those are to stay; and what the flow belonged to may have ended.
        var next = probe.Resume();
        var isAsBefore = _before is not null && next == _outer && ExecutionContext.Capture() == _entered;
        return ThreadSegments.ExitTo(probe, next, isAsBefore ? _before : null);
    }

    /// <summary>Keeps nothing alive that only a running operation needs.</summary>
    public void Forget() => (_activity, _outer, _before, _entered) = (null, null, null, null);

    /// <summary>
    /// Keeps the operation with its activity: the flow leaves a thread, and where the activity is stopped nothing else may be known.
    /// </summary>
    public void MakeFindable()
    {
        if (_activity is { } mine)
        {
            SetProperty(mine);
        }
    }

    // Apart, so that the look whether there is anything to do costs each await next to nothing.
    private void SetProperty(Activity mine)
    {
        try
        {
            mine.SetCustomProperty(Property, probe);
            _activity = null;
        }
        catch (Exception e) when (e is OutOfMemoryException or ThreadInterruptedException)
        {
            // What is thrown here would end the process. The next thread that leaves tries again.
        }
    }

    private static RequestProbe? FindRunning(Activity activity)
    {
        for (var slot = ThreadSlots.First; slot is not null; slot = slot.Next)
        {
            if (slot.Probe is { Operation: { } flow } running && flow._activity == activity)
            {
                return running;
            }
        }

        return null;
    }
}
