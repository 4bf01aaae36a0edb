using AsyncProbe.Blocking.Kinds;

namespace AsyncProbe.Tests.Blocking.Kinds;

public sealed class WaitKindTests
{
    [Fact]
    public void EveryKind_HasARemedy() =>
        Enum.GetValues<WaitKind>().ShouldAllBe(kind => kind.Remedy().Length > 10);
}
