using System.Diagnostics;
using AsyncProbe.Common;

namespace AsyncProbe.Requests;

/// <summary>
/// Links an activity and the probe of its operation. Most activities are stopped in their own flow on the thread that started them, so the
/// flow leads to the probe. If the flow leaves the thread, the probe is kept with the activity as a custom property, for which .NET
/// allocates a dictionary.
/// </summary>
/// <param name="probe">The operation's probe.</param>
/// <param name="activity">The operation's activity.</param>
/// <param name="outer">The probe that the flow belonged to when the activity was started.</param>
internal sealed class OperationFlow(RequestProbe probe, Activity activity, RequestProbe? outer)
{
    private const string Property = "AsyncProbe.Operation";

    // Null once it is no longer needed to find the operation.
    private Activity? _activity = activity;
    private RequestProbe? _outerAtStart = outer;
    private ExecutionContext? _before;
    private ExecutionContext? _entered;

    /// <summary>
    /// The request or operation that the flow belonged to before, or the next one outside it that hasn't ended; null if there is none.
    /// </summary>
    public RequestProbe? Outer { get; set; }

    /// <summary>The operation of an activity, no matter in which flow the activity is stopped; null if it has none (any more).</summary>
    /// <param name="current">The probe that the calling flow belongs to.</param>
    public static RequestProbe? Find(Activity activity, RequestProbe? current)
    {
        if (current?.Operation is { } here && here._activity == activity)
        {
            return current;
        }

        // A thread sets the property before it clears its slot, so a reader that misses both finds the property on the second try.
        return (activity.GetCustomProperty(Property) ?? FindRunning(activity) ?? activity.GetCustomProperty(Property)) as RequestProbe;
    }

    /// <summary>Starts the operation in the calling flow. Only <see cref="Exit"/> restores what was there before.</summary>
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

    /// <summary>Returns the calling flow, which is the operation's, to what it belonged to before.</summary>
    /// <returns>When the flow left the operation.</returns>
    public Timestamp Exit()
    {
        // Must come first, or the thread that leaves now would make the operation findable.
        _activity = null;

        // Restoring the context is cheaper than setting its value, which allocates a new one. But the operation's code may have set other
        // values, which must stay, and the outer request or operation may have ended.
        var next = probe.Resume();
        var isAsBefore = _before is not null && next == _outerAtStart && ExecutionContext.Capture() == _entered;
        return ThreadSegments.ExitTo(probe, next, isAsBefore ? _before : null);
    }

    /// <summary>Releases everything that only a running operation needs.</summary>
    public void Forget() => (_activity, _outerAtStart, _before, _entered) = (null, null, null, null);

    /// <summary>
    /// Keeps the operation with its activity. The flow leaves a thread, and the code that stops the activity may have no other way to find
    /// the operation.
    /// </summary>
    public void MakeFindable()
    {
        if (_activity is { } mine)
        {
            SetProperty(mine);
        }
    }

    // A separate method, so that checking whether there is anything to do costs almost nothing per await.
    private void SetProperty(Activity mine)
    {
        try
        {
            mine.SetCustomProperty(Property, probe);
            _activity = null;
        }
        catch (Exception e) when (e is OutOfMemoryException or ThreadInterruptedException)
        {
            // An exception from here would end the process. The next thread that leaves tries again.
        }
    }

    private static RequestProbe? FindRunning(Activity activity) =>
        ThreadSlots.All.Select(slot => slot.Probe).FirstOrDefault(probe => probe?.Operation is { } flow && flow._activity == activity);
}
