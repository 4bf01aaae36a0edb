namespace AsyncProbe.StackSnapshots.Tests;

public sealed class PublicApiTests
{
    [Fact]
    public void Api_IsThatOfTheLedger() =>
        PublicApi.Compare(typeof(StackSnapshotOptions).Assembly, "src/AsyncProbe.StackSnapshots/PublicApi.txt").ShouldBeNull();
}
