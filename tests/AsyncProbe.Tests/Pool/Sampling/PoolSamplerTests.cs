using AsyncProbe.Pool.Sampling;

namespace AsyncProbe.Tests.Pool.Sampling;

public sealed class PoolSamplerTests
{
    [Fact]
    public void Sample_IsLaterThanTheOneBefore()
    {
        var sampler = new PoolSampler(ticksPerSecond: 10);

        var first = sampler.Take().TakenAt;

        first.ShouldNotBe(default);
        (sampler.Take().TakenAt > first).ShouldBeTrue();
    }
}
