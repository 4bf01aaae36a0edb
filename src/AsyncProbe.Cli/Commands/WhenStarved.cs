using System.Diagnostics;
using AsyncProbe.Cli.Observation;
using AsyncProbe.Cli.Options;
using AsyncProbe.Cli.Outcomes;
using AsyncProbe.Cli.Processes;
using AsyncProbe.Cli.Views;

namespace AsyncProbe.Cli.Commands;

/// <summary>
/// <c>attach --when starved</c>: collects evidence that survives a restart. A starved service is often killed by its liveness probe before
/// anyone types a command.
/// </summary>
internal static class WhenStarved
{
    private const int DefaultSeconds = 60;
    private const string Starved = "starved";

    private static readonly TimeSpan s_pause = TimeSpan.FromSeconds(1);

    /// <returns>Whether to wait for starvation.</returns>
    /// <exception cref="CommandException">The combination of options is not supported.</exception>
    public static bool Check(string? typed, AttachPlan plan) => typed switch
    {
        null => false,
        Starved when plan.Target.Files.Count > 0 => true,
        Starved => throw new CommandException(ExitCode.Usage, "--when starved needs -o FILE, because the process may be gone before you look."),
        _ => throw new CommandException(ExitCode.Usage, $"--when is \"{typed}\"; it takes {Starved}."),
    };

    public static async Task<int> RecordAsync(AttachedProcess attached, AttachPlan plan, Output output, CancellationToken interrupt)
    {
        await output.Messages.WriteLineAsync($"Watching the pool of {attached.Process.Title}");
        await AwaitAsync(attached, interrupt);
        await output.Messages.WriteLineAsync(
            $"The pool starves: recording for {plan.Seconds ?? DefaultSeconds} s to {string.Join(", ", plan.Target.Files)}");
        using var observer = await FleetObserver.BeginAsync(attached, interrupt);
        var end = Stopwatch.GetTimestamp() + ((plan.Seconds ?? DefaultSeconds) * Stopwatch.Frequency);
        while (Stopwatch.GetTimestamp() < end && !interrupt.IsCancellationRequested && !attached.Process.HasEnded)
        {
            await plan.Target.SaveAsync(ResultText.From(observer.Look()));
            await Task.Delay(s_pause, interrupt).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        }

        var result = await observer.EndAsync(plan.Thresholds, plan.Baseline, interrupt.IsCancellationRequested);
        return await plan.Target.FinishAsync(ResultText.From(result), ExitDecision.Decide(result));
    }

    private static async Task AwaitAsync(AttachedProcess attached, CancellationToken interrupt)
    {
        using var watcher = await FleetObserver.BeginAsync(attached, interrupt);
        while (watcher.Look().Replicas[0] is var replica && replica.Server.WorstState != Starved)
        {
            if (!replica.IsObserved)
            {
                throw new CommandException(ExitCode.NothingMeasured, replica.Problem!);
            }

            if (attached.Process.HasEnded)
            {
                throw new CommandException(ExitCode.NothingMeasured, $"{attached.Process.Title} has ended, and its pool had not starved.");
            }

            await Task.Delay(s_pause, interrupt);
        }
    }
}
