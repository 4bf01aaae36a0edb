using AsyncProbe.Rules;

namespace AsyncProbe.Pool.Diagnosis;

/// <summary>What the wait hook knows of a live segment.</summary>
/// <param name="At">The call site that it waits at; null when none is known.</param>
/// <param name="NeedsPool">Whether it may wait for something that only a pool thread can do; null when nobody can tell.</param>
internal readonly record struct SegmentWait(string? At, bool? NeedsPool)
{
    /// <summary>Whether anybody has looked at what this thread waits for, and what was seen.</summary>
    public WaitsSeen Seen { get; init; } = At is null ? WaitsSeen.NotLooked : WaitsSeen.Found;

    /// <summary>What helps where await does not, as a sentence; null where it does.</summary>
    public string? Remedy { get; init; }
}
