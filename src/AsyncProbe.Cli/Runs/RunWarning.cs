namespace AsyncProbe.Cli.Runs;

/// <summary>Something a reader must know before believing a run's figures.</summary>
internal sealed record RunWarning(RunWarningKind Kind, string Text);
