namespace AsyncProbe.Cli.Joining;

/// <summary>The server's pool on the run's time axis.</summary>
internal sealed record ServerSecond(
    double At, double? Threads, double? QueueDelayMs, double? BlockedThreads, double? Pending, double? CpuPercent);
