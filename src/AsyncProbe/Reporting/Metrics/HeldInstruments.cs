using System.Diagnostics;
using System.Diagnostics.Metrics;
using AsyncProbe.Clocks;
using AsyncProbe.Common;

namespace AsyncProbe.Reporting.Metrics;

/// <summary>The histograms of held time, for requests or for operations.</summary>
/// <param name="meter">Creates the histograms.</param>
/// <param name="parts">What they measure.</param>
/// <param name="faults">Counts exceptions that listeners throw.</param>
internal sealed class HeldInstruments(Meter meter, HeldPart[] parts, Faults faults)
{
    private readonly Histogram<double>[] _histograms = Array.ConvertAll(parts, part => HeldHistogram.Create(meter, part.Metric));

    public bool IsEnabled => Array.Exists(_histograms, static histogram => histogram.Enabled);

    public void Record(HeldSplit split, in TagList tags)
    {
        for (var i = 0; i < parts.Length; i++)
        {
            if (!parts[i].IsAvailable)
            {
                continue;
            }

            // Record calls the listeners, which are third-party code and may throw.
            try
            {
                _histograms[i].Record(parts[i].Of(split).TotalSeconds, tags);
            }
            catch (Exception e)
            {
                faults.Note(e);
            }
        }
    }
}
