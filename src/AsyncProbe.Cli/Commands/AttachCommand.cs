using System.CommandLine;
using AsyncProbe.Cli.Observation;
using AsyncProbe.Cli.Options;
using AsyncProbe.Cli.Outcomes;
using AsyncProbe.Cli.Processes;
using AsyncProbe.Cli.Server;
using AsyncProbe.Cli.Views;

namespace AsyncProbe.Cli.Commands;

/// <summary><c>attach</c>: shows the figures of a process without AsyncProbe, without changing or restarting it.</summary>
internal static class AttachCommand
{
    private const int DefaultSeconds = 10;

    public static Command Create(Output output)
    {
        var process = new ProcessArgument();
        var keep = new Option<bool>("--keep") { Description = "Leave the probe in the process. asyncprobe detach stops it." };
        var when = new Option<string?>("--when")
        {
            HelpName = "starved",
            Description = "Wait until the pool starves, then record, and write the -o files at once and again every second.",
        };
        var page = new Option<bool>("--page") { Description = "Also serve the live page, on a loopback port at a random path." };
        var options = new AttachOptions($"until q or Ctrl+C in a terminal, else {DefaultSeconds}.");
        var command = new Command(
            "attach", "Show where a running ASP.NET Core process blocks its threads, without changing or restarting it.")
        {
            keep, when, page,
        };
        process.AddTo(command);
        options.AddTo(command);
        command.SetAction(async (parsed, interrupt) =>
        {
            var plan = await options.ReadAsync(parsed, output, interrupt);
            var recordsLater = WhenStarved.Check(parsed.GetValue(when), plan);
            var found = await process.FindAsync(parsed);
            var settings = plan.Settings with { Keep = parsed.GetValue(keep), WhenStarved = recordsLater };
            using var attached = await DedicatedThread.RunAsync(() => AttachedProcess.Attach(found, settings, interrupt));
            using var served = parsed.GetValue(page) ? new PageServer(attached.Socket) : null;
            if (served is not null)
            {
                await output.Messages.WriteLineAsync($"Live page: {served.Url}");
            }

            return recordsLater
                ? await WhenStarved.RecordAsync(attached, plan, output, interrupt)
                : await ObserveAsync(attached, plan, served?.Url, output, interrupt);
        });
        return command;
    }

    private static async Task<int> ObserveAsync(
        AttachedProcess attached, AttachPlan plan, Uri? page, Output output, CancellationToken interrupt)
    {
        int? length = plan.Seconds ?? (output.IsInteractive ? null : DefaultSeconds);
        using var observer = await FleetObserver.BeginAsync(attached, interrupt);
        if (!plan.Target.Quiet)
        {
            var end = length is null ? "q or Ctrl+C detaches" : $"for {length} s";
            await output.Messages.WriteLineAsync($"Attached to {attached.Process.Title}, {end}");
        }

        var interrupted = observer.Look().Observed > 0
            && await ObservedTime.WaitAsync(observer, length, output.IsInteractive && !plan.Target.Quiet, output, interrupt, page);
        var result = await observer.EndAsync(plan.Thresholds, plan.Baseline, interrupted);
        return await plan.Target.FinishAsync(ResultText.From(result), ExitDecision.Decide(result));
    }
}
