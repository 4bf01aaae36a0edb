using AsyncProbe.Cli.Load;
using AsyncProbe.Cli.Outcomes;
using AsyncProbe.Cli.Views;

namespace AsyncProbe.Cli.Commands;

/// <summary>Chooses how a run shows its progress.</summary>
internal static class Observers
{
    /// <param name="target">Where the output goes.</param>
    /// <param name="isOneOfMany">Whether the caller prints a line after each run, so that a run needs none of its own.</param>
    public static RunObserver Create(ReportTarget target, bool isOneOfMany = false) => target switch
    {
        { Quiet: true } => new RunObserver(),
        { Output.IsInteractive: true } => new LiveScreen(target.Output.MessagesConsole()),
        _ => isOneOfMany ? new RunObserver() : new PlainProgress(target.Output.Messages),
    };
}
