using AsyncProbe.Blocking.Sampling;
using AsyncProbe.Common;

namespace AsyncProbe.Tests.Blocking.Sampling;

public sealed class SnapshotTurnTests
{
    [Fact]
    public async Task Turn_IsGivenBack_WhenTheSampleFails()
    {
        var hasEnded = new TaskCompletionSource();
        SnapshotTurn.TryRun(OwnThreadRole.Snapshot, () => throw new InsufficientMemoryException(), hasEnded.SetResult).ShouldBeTrue();
        await hasEnded.Task.WaitAsync(ProbedApp.Timeout);

        var hasSampled = new TaskCompletionSource();
        SnapshotTurn.TryRun(OwnThreadRole.Snapshot, hasSampled.SetResult).ShouldBeTrue("nobody samples any more");
        await hasSampled.Task.WaitAsync(ProbedApp.Timeout);
    }
}
