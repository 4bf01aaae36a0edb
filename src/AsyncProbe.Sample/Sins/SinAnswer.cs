namespace AsyncProbe.Sample.Sins;

/// <summary>The sin, how long it should take, and how long it took.</summary>
internal sealed record SinAnswer(string Sin, int Ms, double TookMs);
