using AsyncProbe.Blocking.Stacks;

namespace AsyncProbe.Tests.Blocking.Stacks;

public sealed class WaitKindTests
{
    [Fact]
    public void EveryKind_HasARemedy() =>
        Enum.GetValues<WaitKind>().ShouldAllBe(kind => kind.Remedy().Length > 10);
}
