using System.Diagnostics.Metrics;
using AsyncProbe.Reporting.Metrics;

namespace AsyncProbe.Tests.Reporting.Metrics;

/// <summary>The meters of this process.</summary>
internal static class Meters
{
    /// <summary>How many hosts of AsyncProbe have not been disposed.</summary>
    public static int Alive()
    {
        HashSet<Meter> meters = [];
        using var listener = new MeterListener
        {
            InstrumentPublished = (instrument, _) =>
            {
                if (instrument.Meter.Name == ProbeMetrics.MeterName)
                {
                    meters.Add(instrument.Meter);
                }
            },
        };
        listener.Start();
        return meters.Count;
    }
}
