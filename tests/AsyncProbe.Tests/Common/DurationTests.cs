using System.Runtime.CompilerServices;
using AsyncProbe.Common;

namespace AsyncProbe.Tests.Common;

[Trait(Logic.Category, Logic.Name)]
public sealed class DurationTests
{
    [Fact]
    public void Times_AreOneNumber()
    {
        Unsafe.SizeOf<Duration>().ShouldBe(sizeof(long));
        Unsafe.SizeOf<Timestamp>().ShouldBe(sizeof(long));
    }

    [Fact]
    public void Duration_IsTheSame_InEveryUnit()
    {
        Duration[] same =
        [
            Duration.FromNanoseconds(1_500_000), Duration.FromMicroseconds(1500), Duration.FromMilliseconds(1.5),
            Duration.FromSeconds(0.0015),
            Duration.From(TimeSpan.FromMilliseconds(1.5)), Duration.Millisecond * 1.5, 3 * Duration.Millisecond / 2,
        ];

        same.ShouldAllBe(duration => duration == Duration.FromMicroseconds(1500));
        same[0].ToTimeSpan().ShouldBe(TimeSpan.FromMilliseconds(1.5));
        same[0].TotalSeconds.ShouldBe(0.0015);
        same[0].WholeMicroseconds.ShouldBe(1500);
        same[0].RatioTo(Duration.Second).ShouldBe(0.0015);
    }

    [Theory]
    [InlineData(1_234_567, 1.235)]
    [InlineData(1_234_499, 1.234)]
    [InlineData(400, 0)]
    [InlineData(0, 0)]
    public void Milliseconds_HaveThreePlaces(long nanoseconds, double expected) => nanoseconds.Ns().ToMilliseconds().ShouldBe(expected);

    [Fact]
    public void Duration_IsOrdered()
    {
        Duration[] times = [3.Ns(), 1.Ns(), 2.Ns()];

        times.Max().ShouldBe(3.Ns());
        times.Order().ShouldBe([1.Ns(), 2.Ns(), 3.Ns()]);
        Duration.Clamp(5.Ns(), Duration.Zero, 3.Ns()).ShouldBe(3.Ns());
        (1.Ns() - 3.Ns()).OrZero().ShouldBe(Duration.Zero);
    }

    [Fact]
    public void Text_SaysTheUnit() => Duration.FromMicroseconds(1500).ToString().ShouldBe("1.5 ms");

    [Fact]
    public void Timestamp_GoesOn_AndMeasuresWhatPasses()
    {
        var began = Timestamp.Now();
        SpinWait.SpinUntil(() => Timestamp.Now() > began, TimeSpan.FromSeconds(10)).ShouldBeTrue();

        began.Elapsed().ShouldBeGreaterThan(Duration.Zero);
        (began + Duration.Second - began).ShouldBe(Duration.Second);
        (began - Duration.Second < began).ShouldBeTrue();
        began.ShouldNotBe(default);
    }
}
