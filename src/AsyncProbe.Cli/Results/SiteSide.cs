namespace AsyncProbe.Cli.Results;

/// <summary>A call site that blocked during the run.</summary>
internal sealed record SiteSide(string Kind, string At, string? Via, long Count, TimeSums BlockedMs, IReadOnlyList<string> Endpoints);
