namespace AsyncProbe.Tests.Blocking.Sampling;

/// <summary>A clock that advances only when the test says so.</summary>
internal sealed class ManualTime : TimeProvider
{
    private long _ticks;

    public override long TimestampFrequency => TimeSpan.TicksPerSecond;

    public override long GetTimestamp() => _ticks;

    public void Advance(TimeSpan time) => _ticks += time.Ticks;
}
