using AsyncProbe.Blocking.Sampling;
using AsyncProbe.Common;

namespace AsyncProbe.Tests.Blocking.Sampling;

[Trait(Logic.Category, Logic.Name)]
public sealed class IdleThreadsTests
{
    // The checking thread waited for a core for 100 ms, and half of that counted as part of a wait of 3 ms.
    [Theory]
    [InlineData(3, 2, 4)]
    [InlineData(20, 4, 22)]
    [InlineData(3, 100, 6)]
    public void Wait_GetsHalfOfTheGapsAroundIt_ButNoMoreThanWasSeen(int seen, int gaps, int length) =>
        IdleThreads.LengthOf(seen * Duration.Millisecond, gaps * Duration.Millisecond).ShouldBe(length * Duration.Millisecond);
}
