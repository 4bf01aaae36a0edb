namespace AsyncProbe.Cli.Load;

/// <summary>The progress of a run.</summary>
internal sealed record RunSoFar(TimeSpan Elapsed, TimeSpan? Total, long Requests, long Failed);
