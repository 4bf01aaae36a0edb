using AsyncProbe.Common;

namespace AsyncProbe.Requests.Endpoints;

/// <summary>
/// Whether an endpoint's requests are followed through the callbacks that the server runs after the pipeline. That costs 110 ns, and most
/// requests have none. Where they have taken no time for a while it is left out, until the server takes long to come to the end.
/// </summary>
internal sealed class CompletionWatch
{
    // As for segments: shorter ones tell nothing.
    private static Duration Quick => Duration.FromMicroseconds(50);

    // Includes the end of the response, so that it may be the client who is slow; then it costs little to have looked.
    private static Duration LongUntilTheEnd => Duration.Millisecond;

    private const int Looks = 20;

    private int _looksLeft = Looks;

    public bool IsOn => Volatile.Read(ref _looksLeft) > 0;

    /// <summary>The callbacks of a request that was followed have held a thread for so long, or have taken so long.</summary>
    public void OnFollowed(Duration time)
    {
        if (time >= Quick)
        {
            Volatile.Write(ref _looksLeft, Looks);
        }
        else if (IsOn)
        {
            // Not interlocked: one look more or less is nothing.
            _looksLeft--;
        }
    }

    /// <summary>So much time has passed between the pipeline's end and the end of a request that was not followed.</summary>
    public void OnEnd(Duration time)
    {
        if (time >= LongUntilTheEnd)
        {
            Volatile.Write(ref _looksLeft, Looks);
        }
    }
}
