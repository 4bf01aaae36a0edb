using AsyncProbe.Truth.Tests.Generator;

namespace AsyncProbe.Truth.Tests;

/// <summary>What is true of a row on a crowded machine.</summary>
public sealed class RowTruthTests
{
    // AsyncProbe once called such a row "cpuBound", with 3 ms of CPU and 50 ms of cpuWait: the request had spun for the lock all that time.
    [Theory]
    [InlineData("lock (gate), contended", 1.0, 50.0, null)]
    [InlineData("lock (gate), contended", 19.0, 2.0, "lockContention")]
    [InlineData("manualResetEvent.WaitOne()", 1.0, 50.0, null)]
    [InlineData("thread.Join()", 1.0, 50.0, null)]
    [InlineData("autoResetEvent.WaitOne(timeout)", 1.0, 50.0, "asyncWillHelp")]
    [InlineData("Thread.Sleep", 19.0, 50.0, "asyncWillHelp")]
    public void Verdict_IsNotKnown_OnlyWhenTheWaitMayHaveEndedBeforeItBegan(string wait, double blocked, double waited, string? expected)
    {
        var row = new Row(1, Shapes.All[0], Position.All[0], Waits.All.Single(w => w.Name == wait), Style.Clocked, Temperature.Warm, 4);
        var setting = RuntimeSetting.All.First(s => !s.IsLoud);

        var truth = RowTruth.Of(row, setting, new Measured(10, blocked * 10, 30), waited, queued: 0, told: blocked);

        truth.Verdict.ShouldBe(expected);
        truth.Sites.ShouldHaveSingleItem().SeenBy.ShouldBe(expected is null ? SeenBy.Perhaps : row.Wait.SeenBy);
    }
}
