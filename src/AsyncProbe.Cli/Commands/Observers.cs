using AsyncProbe.Cli.Views;

namespace AsyncProbe.Cli.Commands;

/// <summary>Chooses how a run shows its progress.</summary>
internal static class Observers
{
    public static RunObserver Create(ReportTarget target) => target switch
    {
        { Quiet: true } => new RunObserver(),
        { Output.IsInteractive: true } => new LiveScreen(target.Output.MessagesConsole()),
        _ => new PlainProgress(target.Output.Messages),
    };
}
