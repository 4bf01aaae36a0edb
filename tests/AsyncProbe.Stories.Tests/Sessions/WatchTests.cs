using System.Globalization;

namespace AsyncProbe.Stories.Tests.Sessions;

/// <summary>Watches a server in which no pool thread is free or ever will be again.</summary>
[SideBySide]
public sealed class WatchTests
{
    [Fact]
    public async Task Watch_ShowsTheLifeline_WhileThePoolIsDeadlocked()
    {
        var lifeline = FreePort.Take();
        await using var sample = await SampleProcess.StartAsync(
            "--Sample:MaxWorkerThreads", "8", "--Sample:Upstream", "false", "--AsyncProbe:LifelinePort",
            lifeline.ToString(CultureInfo.InvariantCulture));
        // Each wait could only be ended by one of the eight threads, which all wait.
        var hanging = Enumerable.Range(0, 16).Select(_ => sample.TextAsync("/sins/task-wait?ms=5000")).ToArray();
        await sample.LineAsync("The thread pool is starved");

        var watched = await AsyncProbeCommand.RunAsync(
            "watch", sample.Address.ToString(), "--lifeline", lifeline.ToString(CultureInfo.InvariantCulture), "--times", "2");

        watched.ExitCode.ShouldBe(0, watched.Messages + watched.Results);
        watched.Results.Split('\n', StringSplitOptions.RemoveEmptyEntries).Length.ShouldBe(2, watched.Results);
        watched.Results.ShouldContain("figures are from the lifeline");
        watched.Results.ShouldContain("starved");
        hanging.ShouldAllBe(request => !request.IsCompletedSuccessfully);
        sample.Kill();
        await Should.ThrowAsync<Exception>(() => Task.WhenAll(hanging));
    }
}
