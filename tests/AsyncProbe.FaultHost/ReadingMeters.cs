using System.Diagnostics.Metrics;

namespace AsyncProbe.FaultHost;

/// <summary>Reads the instruments of AsyncProbe once a second, as exporters do, and keeps nothing.</summary>
internal sealed class ReadingMeters : IDisposable
{
    private static readonly TimeSpan s_pause = TimeSpan.FromSeconds(1);

    private readonly MeterListener _listener = new();
    private readonly Timer _timer;

    public ReadingMeters()
    {
        _listener.InstrumentPublished = (instrument, listener) =>
        {
            if (instrument.Meter.Name.StartsWith("AsyncProbe", StringComparison.Ordinal))
            {
                listener.EnableMeasurementEvents(instrument);
            }
        };
        _listener.SetMeasurementEventCallback<double>((_, _, _, _) => { });
        _listener.SetMeasurementEventCallback<long>((_, _, _, _) => { });
        _listener.SetMeasurementEventCallback<int>((_, _, _, _) => { });
        _listener.Start();
        _timer = new Timer(_ => Read(), null, s_pause, s_pause);
    }

    public void Dispose()
    {
        _timer.Dispose();
        _listener.Dispose();
    }

    private void Read()
    {
        try
        {
            _listener.RecordObservableInstruments();
        }
        catch (AggregateException)
        {
            // An exporter logs this and goes on.
        }
    }
}
