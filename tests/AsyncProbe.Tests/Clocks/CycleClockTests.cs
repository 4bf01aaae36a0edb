using AsyncProbe.Clocks;
using AsyncProbe.Common;

namespace AsyncProbe.Tests.Clocks;

/// <summary>The cycle counter of Windows, simulated with recorded readings: Wine, where the tests run, has none.</summary>
[Trait(Logic.Category, Logic.Name)]
public sealed class CycleClockTests
{
    // Cycles per nanosecond.
    private const double Speed = 2.6;

    [Fact]
    public void Clock_TellsTimeFromCycles_WhenTheCounterKeepsItsSpeed()
    {
        var clock = CycleClock.Calibrate(new Recorded { Speeds = [Speed, 2.599, Speed, 2.6005, Speed, 2.602], SpeedAsleep = 0.01 });

        clock.Fault.ShouldBeNull();
        clock.ToDuration(2_600_000_000).TotalMilliseconds.ShouldBeInRange(999, 1001);
        clock.ToDuration(0).ShouldBe(Duration.Zero);
    }

    [Fact]
    public void Clock_IsCalibratedByTheFastestSpin_WhenOthersLostTheirCore()
    {
        var clock = CycleClock.Calibrate(new Recorded { Speeds = [0.3, 1.1, Speed, 0.02, 2.4, 0.5, 1.3, 2.58], SpeedAsleep = 0 });

        clock.Fault.ShouldBeNull();
        clock.ToDuration(2_600_000).TotalMilliseconds.ShouldBeInRange(0.999, 1.001);
    }

    [Fact]
    public void Counter_IsRefused_WhenItStandsStill() =>
        CycleClock.Calibrate(new Recorded { Speeds = [0], SpeedAsleep = 0 }).Fault.ShouldBe("stands still");

    // Wine's readings.
    [Fact]
    public void Counter_IsRefused_WhenItGivesNoAnswer() => CycleClock.Calibrate(new Recorded()).Fault.ShouldBe("gives no answer");

    [Fact]
    public void Counter_IsRefused_WhenItAnswersNoMoreAfterItsCalibration() =>
        CycleClock.Calibrate(new Recorded { Speeds = [Speed, Speed, Speed, Speed, Speed, null] }).Fault.ShouldBe("gives no answer");

    // A processor that counts its own cycles and changes its speed.
    [Theory]
    [InlineData(Speed * 0.94, 6)]
    [InlineData(Speed * 1.06, 6)]
    [InlineData(Speed * 3, 200)]
    public void Counter_IsRefused_WhenNoSpinComesOutWithin5Percent(double afterwards, int percent) =>
        CycleClock.Calibrate(new Recorded { Speeds = [Speed, Speed, Speed, Speed, Speed, afterwards], SpeedAsleep = 0 })
            .Fault.ShouldBe($"was wrong by {percent} % when it was checked");

    [Theory]
    [InlineData(0.96)]
    [InlineData(1.04)]
    public void Counter_IsTrusted_WhenASpinComesOutWithin5Percent(double share) =>
        CycleClock.Calibrate(
            new Recorded { Speeds = [Speed, Speed, Speed, Speed, Speed, Speed * share], SpeedAsleep = 0 }).Fault.ShouldBeNull();

    // Otherwise every wait would look like work.
    [Fact]
    public void Counter_IsRefused_WhenItGoesOnInASleep() =>
        CycleClock.Calibrate(new Recorded { Speeds = [Speed], SpeedAsleep = Speed }).Fault.ShouldBe("goes on while the thread sleeps");

    [Fact]
    public void Clock_NeverTurnsNegative_WhenTheCounterIsNearItsEnd()
    {
        var slow = CycleClock.Calibrate(new Recorded { Speeds = [0.5], SpeedAsleep = 0 });

        slow.ToDuration(ulong.MaxValue).ShouldBe(Duration.FromNanoseconds(long.MaxValue));
        (slow.ToDuration(ulong.MaxValue) - slow.ToDuration(ulong.MaxValue - 1)).ShouldBe(Duration.Zero);
    }

    // 26 years of work by one thread, and still exact to the microsecond.
    [Fact]
    public void Clock_StaysExact_WhenAThreadHasWorkedForYears()
    {
        var clock = CycleClock.Calibrate(new Recorded { Speeds = [1], SpeedAsleep = 0 });
        const ulong Long = 820_000_000_000_000_000;

        (clock.ToDuration(Long + 1_000_000) - clock.ToDuration(Long)).TotalMilliseconds.ShouldBeInRange(0.999, 1.001);
    }

    /// <summary>Cycles per nanosecond for each spin. The last value repeats forever, and null stands for no answer.</summary>
    private sealed class Recorded : ICycleSource
    {
        private int _spins;

        public IReadOnlyList<double?> Speeds { get; init; } = [null];

        public double? SpeedAsleep { get; init; }

        public CycleReading? Spin(Duration time) => Read(Speeds[Math.Min(_spins++, Speeds.Count - 1)], time);

        public CycleReading? Sleep() => Read(SpeedAsleep, 15 * Duration.Millisecond);

        private static CycleReading? Read(double? speed, Duration time) =>
            speed is { } known ? new CycleReading(time, (ulong)Math.Round(time.RatioTo(Duration.FromNanoseconds(1)) * known)) : null;
    }
}
