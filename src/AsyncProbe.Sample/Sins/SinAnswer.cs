namespace AsyncProbe.Sample.Sins;

/// <summary>Which sin, how long it was asked to last, and how long it lasted.</summary>
internal sealed record SinAnswer(string Sin, int Ms, double TookMs);
