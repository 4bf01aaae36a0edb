namespace AsyncProbe.Cli.Results;

/// <summary>A threshold and what became of it. <see cref="Actual"/> is null when there was no sample, which does not hold.</summary>
internal sealed record ThresholdResult(string Expression, double? Actual, bool Holds, bool ServerFigureMissing);
