namespace AsyncProbe.Faults.Tests;

/// <summary>The outcome of injected faults: numbers of places, and failed batches.</summary>
internal sealed class InjectionResult
{
    /// <summary>The places that ran in some host.</summary>
    public HashSet<int> Reached { get; init; } = [];

    /// <summary>The places that failed when they were first reached after the start.</summary>
    public HashSet<int> FailedCold { get; init; } = [];

    /// <summary>The places that failed after they had worked.</summary>
    public HashSet<int> FailedWarm { get; init; } = [];

    /// <summary>What went wrong in a batch: a wrong answer, a host that ended, or one in which AsyncProbe no longer counts.</summary>
    public List<string> Escaped { get; init; } = [];
}
