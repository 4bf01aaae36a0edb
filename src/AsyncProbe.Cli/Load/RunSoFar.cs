namespace AsyncProbe.Cli.Load;

/// <summary>Where a run stands.</summary>
internal sealed record RunSoFar(TimeSpan Elapsed, TimeSpan? Total, long Requests, long Failed);
