using AsyncProbe.Rules;

namespace AsyncProbe.Pool.Diagnosis;

/// <summary>What the wait hook knows about a live segment.</summary>
/// <param name="At">The call site that it waits at; null if unknown.</param>
/// <param name="NeedsPool">Whether it may wait for something that only a pool thread can do; null if unknown.</param>
internal readonly record struct SegmentWait(string? At, bool? NeedsPool)
{
    /// <summary>Whether this thread's wait was watched, and what was found.</summary>
    public WaitsSeen Seen { get; init; } = At is null ? WaitsSeen.NotLooked : WaitsSeen.Found;

    /// <summary>What helps if await doesn't, as a sentence; null if it does.</summary>
    public string? Remedy { get; init; }
}
