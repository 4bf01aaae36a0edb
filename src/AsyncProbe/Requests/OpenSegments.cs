using AsyncProbe.Clocks;
using AsyncProbe.Common;

namespace AsyncProbe.Requests;

/// <summary>The figures of a request that currently runs on several threads.</summary>
internal static class OpenSegments
{
    // A thread that leaves reads its clocks for one or two microseconds. During that time its segment is neither open nor closed.
    private const int Attempts = 4;
    private const int PauseOfAMicrosecond = 30;

    /// <summary>
    /// The closed segments and the open ones on all threads. Checks every slot, so use it only for the few requests that need it.
    /// </summary>
    public static HeldSplit Sum(RequestProbe probe)
    {
        HeldSplit sum = default;
        for (var attempt = 0; attempt < Attempts; attempt++)
        {
            var (segments, open, found) = (probe.Segments, probe.OpenCount, 0);
            sum = probe.Closed();
            for (var slot = ThreadSlots.First; slot is not null; slot = slot.Next)
            {
                if (SoFar(slot, probe) is { } split)
                {
                    sum += split;
                    found++;
                }
            }

            if (found == open && probe.Segments == segments && probe.OpenCount == open)
            {
                break;
            }

            Thread.SpinWait(PauseOfAMicrosecond);
        }

        return sum;
    }

    private static HeldSplit? SoFar(ThreadSlot slot, RequestProbe probe) =>
        slot.Probe != probe ? null
        : slot == ThreadSlots.Mine ? slot.SoFar(Timestamp.Now())
        : slot.SoFarFromOutside(probe);
}
