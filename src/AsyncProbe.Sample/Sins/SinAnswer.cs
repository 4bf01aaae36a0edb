namespace AsyncProbe.Sample.Sins;

/// <summary>The sin, how long it was meant to take, and how long it took.</summary>
internal sealed record SinAnswer(string Sin, int Ms, double TookMs);
