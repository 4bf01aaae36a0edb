namespace AsyncProbe.Cli.Runs;

/// <summary>Something that readers need to know before they trust a run's figures.</summary>
internal sealed record RunWarning(RunWarningKind Kind, string Text);
