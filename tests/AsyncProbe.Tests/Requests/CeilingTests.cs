using AsyncProbe.Requests;

namespace AsyncProbe.Tests.Requests;

public sealed class CeilingTests
{
    private const long Ms = Nanoseconds.PerMillisecond;

    [Fact]
    public void Now_IsThreadsByHeld_WhenTheThreadsOnlySleep()
    {
        var now = Ceiling.Of(Mean(cpu: 0.02, blocked: 200), 200 * Ms, 0, threads: 16, cores: 2).Now;

        now.High!.Value.ShouldBe(80, 0.1);
        now.Low!.Value.ShouldBe(80, 0.1);
    }

    [Fact]
    public void Now_IsCoresByCpu_WhenTheThreadsOnlyWork()
    {
        var now = Ceiling.Of(Mean(cpu: 5, blocked: 0), 0, 0, threads: 16, cores: 2).Now;

        now.High!.Value.ShouldBe(400, 0.1);
        now.Low!.Value.ShouldBe(400, 0.1);
    }

    [Fact]
    public void Now_IsARange_WhenThreadsAndCoresLimitAlike()
    {
        var now = Ceiling.Of(Mean(cpu: 2, blocked: 18), 18 * Ms, 0, threads: 16, cores: 2).Now;

        now.Low!.Value.ShouldBe(470.6, 0.1);
        now.High!.Value.ShouldBe(800, 0.1);
    }

    [Fact]
    public void Now_LeavesWaitingOut_BecauseItGoesAwayWithTheCrowd() =>
        Ceiling.Of(Mean(cpu: 0.02, blocked: 200, waiting: 50), 0, 0, 16, 2).Now.High!.Value.ShouldBe(80, 0.1);

    [Fact]
    public void Now_CountsTheServersShareAtTheCores_WhenItWasMeasured() =>
        Ceiling.Of(Mean(cpu: 4, blocked: 0), 0, serverShare: Ms, 16, 2).Now.High!.Value.ShouldBe(400, 0.1);

    [Fact]
    public void IfAsync_IsCoresByCpu_WhenAllBlockedTimeIsAvoidable()
    {
        var then = Ceiling.Of(Mean(cpu: 50, blocked: 150), 150 * Ms, 0, threads: 16, cores: 2).IfAsync;

        then.Low!.Value.ShouldBe(40, 0.1);
        then.High!.Value.ShouldBe(40, 0.1);
    }

    [Fact]
    public void IfAsync_IsABound_WhenLittleCpuRemains()
    {
        var then = Ceiling.Of(Mean(cpu: 0.5, blocked: 150), 150 * Ms, 0, threads: 16, cores: 2).IfAsync;

        then.Low.ShouldBeNull();
        then.High!.Value.ShouldBe(4000, 1);
    }

    [Fact]
    public void IfAsync_EqualsNow_WhenNothingIsAvoidable()
    {
        var ceiling = Ceiling.Of(Mean(cpu: 2, blocked: 18), avoidableBlocked: 0, 0, threads: 16, cores: 2);

        ceiling.IfAsync.ShouldBe(ceiling.Now);
    }

    [Fact]
    public void Rate_IsNotAvailable_WhenNothingWasMeasured() =>
        Ceiling.Of(default, 0, 0, 16, 2).Now.ShouldBe(default);

    [Theory]
    [InlineData(2, 32_767, 4, 4)]
    [InlineData(2, 32_767, 1, 2)]
    [InlineData(16, 16, 3, 16)]
    [InlineData(2, 8, 100, 8)]
    public void Threads_AreMinimumOrPresentButNeverAboveMaximum(int minimum, int maximum, int present, int expected) =>
        Ceiling.ThreadsInForce(minimum, maximum, present).ShouldBe(expected);

    private static HeldSplit Mean(double cpu, double blocked, double waiting = 0) =>
        new((long)((cpu + blocked + waiting) * Ms), (long)(cpu * Ms), (long)(waiting * Ms), 0, (long)(blocked * Ms));
}
