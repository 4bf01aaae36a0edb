namespace AsyncProbe.Cli.Views.Documents;

/// <summary>How long a mean request of an endpoint held a thread, and the parts of that time; in milliseconds, null if unknown.</summary>
internal sealed record HeldBar(string Endpoint, double? Held, double? Cpu, double? CpuWait, double? Gc, double? Blocked);
