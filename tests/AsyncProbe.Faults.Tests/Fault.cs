namespace AsyncProbe.Faults.Tests;

/// <summary>Something that happens to a host under load.</summary>
/// <param name="Name">As the table names it.</param>
/// <param name="Happen">Makes it happen, and ends it.</param>
internal sealed record Fault(string Name, Func<FaultHostProcess, Task> Happen)
{
    /// <summary>A prefix for the host's command.</summary>
    public string[] Limits { get; init; } = [];

    /// <summary>More arguments of the host.</summary>
    public string[] Arguments { get; init; } = [];

    /// <summary>Environment variables of the host.</summary>
    public IReadOnlyDictionary<string, string> Variables { get; init; } = new Dictionary<string, string>();

    /// <summary>The path that no host can answer while the fault lasts; null if the fault ends.</summary>
    public string? Unanswerable { get; init; }

    /// <summary>Whether another user runs the host.</summary>
    public bool NeedsOpenCopy { get; init; }
}
