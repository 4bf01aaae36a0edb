using AsyncProbe.Common;

namespace AsyncProbe.Requests.Counts;

/// <summary>
/// Whether to follow an endpoint's requests through the callbacks that the server runs after the pipeline. Following costs 110 ns, and most
/// requests have no callbacks. If they have taken no time for a while, following stops until the server takes long to finish.
/// </summary>
internal sealed class CompletionWatch
{
    // As with segments, shorter times show nothing useful.
    private static Duration Quick => Duration.FromMicroseconds(50);

    // This includes the end of the response, so a slow client may be the reason. Following then costs little in comparison.
    private static Duration LongUntilTheEnd => Duration.Millisecond;

    private const int Looks = 20;

    private int _looksLeft = Looks;

    public bool IsOn => Volatile.Read(ref _looksLeft) > 0;

    /// <summary>Notes how long the callbacks of a followed request held a thread, or how long they took.</summary>
    public void OnFollowed(Duration time)
    {
        if (time >= Quick)
        {
            Volatile.Write(ref _looksLeft, Looks);
        }
        else if (IsOn)
        {
            // Not interlocked: being off by one doesn't matter.
            _looksLeft--;
        }
    }

    /// <summary>Notes the time from the pipeline's end to the end of a request that was not followed.</summary>
    public void OnEnd(Duration time)
    {
        if (time >= LongUntilTheEnd)
        {
            Volatile.Write(ref _looksLeft, Looks);
        }
    }
}
