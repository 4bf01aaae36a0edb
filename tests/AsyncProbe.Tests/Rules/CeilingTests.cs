using AsyncProbe.Clocks;
using AsyncProbe.Common;
using AsyncProbe.Rules;

namespace AsyncProbe.Tests.Rules;

[Trait(Logic.Category, Logic.Name)]
public sealed class CeilingTests
{
    private static Duration Ms => Duration.Millisecond;

    [Fact]
    public void Now_IsThreadsByHeld_WhenTheThreadsOnlySleep()
    {
        var now = Ceiling.Create(Mean(cpu: 0.02, blocked: 200), 200 * Ms, Duration.Zero, threads: 16, cores: 2).Now;

        now.High!.Value.ShouldBe(80, 0.1);
        now.Low!.Value.ShouldBe(80, 0.1);
    }

    [Fact]
    public void Now_IsCoresByCpu_WhenTheThreadsOnlyWork()
    {
        var now = Ceiling.Create(Mean(cpu: 5, blocked: 0), Duration.Zero, Duration.Zero, threads: 16, cores: 2).Now;

        now.High!.Value.ShouldBe(400, 0.1);
        now.Low!.Value.ShouldBe(400, 0.1);
    }

    [Fact]
    public void Now_IsARange_WhenThreadsAndCoresLimitAlike()
    {
        var now = Ceiling.Create(Mean(cpu: 2, blocked: 18), 18 * Ms, Duration.Zero, threads: 16, cores: 2).Now;

        now.Low!.Value.ShouldBe(470.6, 0.1);
        now.High!.Value.ShouldBe(800, 0.1);
    }

    [Fact]
    public void Now_LeavesCpuWaitOut_BecauseItGoesAwayWithTheCrowd() =>
        Ceiling.Create(Mean(cpu: 0.02, blocked: 200, cpuWait: 50), Duration.Zero, Duration.Zero, 16, 2).Now.High!.Value.ShouldBe(80, 0.1);

    [Fact]
    public void Now_CountsTheServersShareAtTheCores_WhenItWasMeasured() =>
        Ceiling.Create(Mean(cpu: 4, blocked: 0), Duration.Zero, serverOverhead: Ms, 16, 2).Now.High!.Value.ShouldBe(400, 0.1);

    // 2 cores at 2 ms of CPU make 1000 a second. 4 threads at 2 ms plus 2 ms of collections make the same, and with less make more.
    [Theory]
    [InlineData(2, true)]
    [InlineData(1.9, true)]
    [InlineData(2.1, false)]
    public void Cores_SetTheLimit_UntilTheThreadsSetALowerOne(double gcMs, bool expected) =>
        Ceiling.Create(new HeldSplit((2 + gcMs) * Ms, 2 * Ms, default, gcMs * Ms, default), Duration.Zero, Duration.Zero, 4, 2)
            .IsBoundByCores.ShouldBe(expected);

    [Fact]
    public void IfAsync_IsCoresByCpu_WhenAllBlockedTimeIsAvoidable()
    {
        var then = Ceiling.Create(Mean(cpu: 50, blocked: 150), 150 * Ms, Duration.Zero, threads: 16, cores: 2).IfAsync;

        then.Low!.Value.ShouldBe(40, 0.1);
        then.High!.Value.ShouldBe(40, 0.1);
    }

    [Fact]
    public void IfAsync_IsABound_WhenLittleCpuRemains()
    {
        var then = Ceiling.Create(Mean(cpu: 0.5, blocked: 150), 150 * Ms, Duration.Zero, threads: 16, cores: 2).IfAsync;

        then.Low.ShouldBeNull();
        then.High!.Value.ShouldBe(4000, 1);
    }

    [Fact]
    public void IfAsync_EqualsNow_WhenNothingIsAvoidable()
    {
        var ceiling = Ceiling.Create(Mean(cpu: 2, blocked: 18), avoidableBlocked: Duration.Zero, Duration.Zero, threads: 16, cores: 2);

        ceiling.IfAsync.ShouldBe(ceiling.Now);
    }

    [Fact]
    public void Rate_IsNotAvailable_WhenNothingWasMeasured() =>
        Ceiling.Create(default, Duration.Zero, Duration.Zero, 16, 2).Now.ShouldBe(default);

    [Theory]
    [InlineData(2, 32_767, 4, 4)]
    [InlineData(2, 32_767, 1, 2)]
    [InlineData(16, 16, 3, 16)]
    [InlineData(2, 8, 100, 8)]
    public void Threads_AreMinimumOrPresentButNeverAboveMaximum(int minimum, int maximum, int present, int expected) =>
        Ceiling.ThreadsInForce(minimum, maximum, present).ShouldBe(expected);

    [Fact]
    public void Pauses_HoldAThreadLikeWork_AndCostNoCore()
    {
        var ceiling = Ceiling.Create(new HeldSplit(200 * Ms, 5 * Ms, default, 5 * Ms, 190 * Ms), 190 * Ms, default, threads: 1, cores: 2);

        ceiling.Now.High!.Value.ShouldBe(5, 0.01);
        ceiling.IfAsync.High!.Value.ShouldBe(100, 0.01);
    }

    [Fact]
    public void Pauses_KeepTheThreadsBusy_SoThatTheCoresAreNotTheLimit() =>
        Ceiling.Create(new HeldSplit(20 * Ms, 10 * Ms, default, 10 * Ms, default), default, default, threads: 2, cores: 1.5)
            .IsBoundByCores.ShouldBeFalse();

    [Theory]
    [InlineData(1.0, false)]
    [InlineData(0.2, false)]
    [InlineData(0.19, true)]
    public void Rate_IsABoundOfTheCores_OnlyBelowAFifthOfAMillisecond_WhenNothingIsAvoidable(double cpu, bool isBound)
    {
        var ceiling = Ceiling.Create(Mean(cpu, blocked: 0), Duration.Zero, Duration.Zero, threads: 16, cores: 2);

        (ceiling.Now.Low is null).ShouldBe(isBound);
        (ceiling.IfAsync.Low is null).ShouldBe(isBound);
        ceiling.IsIfAsyncUnknown.ShouldBe(isBound);
    }

    [Fact]
    public void Rate_IsABound_WhenThreadsAndCoresGiveTheSame() =>
        Ceiling.Create(Mean(cpu: 0.1, blocked: 0), Duration.Zero, Duration.Zero, threads: 2, cores: 2).Now.ShouldBe(new Rate(null, 20_000));

    [Theory]
    [InlineData(3.0, 5.0, 3.0)]
    [InlineData(null, 5.0, 5.0)]
    [InlineData(null, null, null)]
    public void SafeEnd_IsTheLowOne_OrTheBound(double? low, double? high, double? safe) => new Rate(low, high).Safe.ShouldBe(safe);

    private static HeldSplit Mean(double cpu, double blocked, double cpuWait = 0) =>
        new((cpu + blocked + cpuWait) * Ms, cpu * Ms, cpuWait * Ms, Duration.Zero, blocked * Ms);
}
