namespace AsyncProbe.Rules;

/// <summary>A call site, as far as the sentence about an endpoint needs it.</summary>
/// <param name="Text">Method, file and line, as far as they are known.</param>
internal sealed record WaitPlace(string Text)
{
    /// <summary>What to await there, or what to write instead; null when nothing specific is known.</summary>
    public string? Instead { get; init; }

    /// <summary>The section of docs/blocking.md about it.</summary>
    public string? Help { get; init; }

    /// <summary>The library that owns the lock; null when it is the application's own, or no lock.</summary>
    public string? Owner { get; init; }

    /// <summary>Whether the owner writes logs: what helps there is to log less, or in the background.</summary>
    public bool IsLogger { get; init; }

    /// <summary>
    /// What lets only so many through, awaited or not: a semaphore, a queue with one consumer. Null when nothing of the kind is known.
    /// </summary>
    public string? Limit { get; init; }
}
