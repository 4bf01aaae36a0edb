using System.CommandLine;
using AsyncProbe.Cli.Observation;
using AsyncProbe.Cli.Options;
using AsyncProbe.Cli.Outcomes;
using AsyncProbe.Cli.Processes;
using AsyncProbe.Cli.Server;
using AsyncProbe.Cli.Views;

namespace AsyncProbe.Cli.Commands;

/// <summary><c>start</c>: starts an application with the probe in it.</summary>
internal static class StartCommand
{
    public static Command Create(Output output)
    {
        var words = new Argument<string[]>("command")
        {
            Arity = ArgumentArity.OneOrMore,
            Description = "The command and its arguments, after --: asyncprobe start -- dotnet run",
        };
        var options = new AttachOptions("until the application ends.");
        var command = new Command("start", "Start an ASP.NET Core application and show where it blocks its threads.") { words };
        options.AddTo(command);
        command.SetAction(async (parsed, interrupt) =>
        {
            var plan = await options.ReadAsync(parsed, output, interrupt);
            using var started = StartedProcess.Start(
                parsed.GetRequiredValue(words), plan.Settings, plan.Target.Json ? output.Messages : null);
            return await RunAsync(started, plan, output, interrupt);
        });
        return command;
    }

    private static async Task<int> RunAsync(StartedProcess started, AttachPlan plan, Output output, CancellationToken interrupt)
    {
        using var attached = await AwaitProbeAsync(started, interrupt);
        var code = ExitCode.Done;
        if (attached is null)
        {
            await output.Messages.WriteLineAsync("The command ended before an ASP.NET Core application had started in it: nothing was measured.");
            code = ExitCode.NothingMeasured;
        }
        else
        {
            using var observer = await FleetObserver.BeginAsync(attached, CancellationToken.None, isStarted: true);
            using var ends = CancellationTokenSource.CreateLinkedTokenSource(interrupt);
            var ended = started.WaitAsync().ContinueWith(_ => ends.CancelAsync(), TaskScheduler.Default).Unwrap();
            await ObservedTime.WaitAsync(observer, plan.Seconds, live: false, output, ends.Token);

            // The application gets the signal afterwards, because it can't be asked once it has ended.
            var result = await observer.EndAsync(plan.Thresholds, plan.Baseline, interrupted: false);
            using var pass = PassOn(started, interrupt);
            code = await plan.Target.FinishAsync(ResultText.From(result), ExitDecision.Decide(result));
            await ended;
        }

        var own = await started.WaitAsync();
        return own == 0 ? code : own;
    }

    private static async Task<AttachedProcess?> AwaitProbeAsync(StartedProcess started, CancellationToken interrupt)
    {
        using var pass = PassOn(started, interrupt);
        return await DedicatedThread.RunAsync(started.AwaitProbe);
    }

    private static CancellationTokenRegistration PassOn(StartedProcess started, CancellationToken interrupt) =>
        interrupt.UnsafeRegister(static process => ((StartedProcess)process!).Terminate(), started);
}
