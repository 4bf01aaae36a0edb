namespace AsyncProbe.Rules;

/// <summary>The facts about a call site that the sentence about an endpoint needs.</summary>
/// <param name="Text">Method, file and line, as far as they are known.</param>
internal sealed record WaitPlace(string Text)
{
    /// <summary>The <see cref="Limit"/> where most requests keep all others from writing to their database.</summary>
    public const string WriteLock = "the database's write lock";

    /// <summary>What to await there, or what to write instead; null when nothing specific is known.</summary>
    public string? Instead { get; init; }

    /// <summary>Whether there is something to await in place of the call, as far as is known.</summary>
    public bool IsAwaitable { get; init; }

    /// <summary>The section of docs/blocking.md about it.</summary>
    public string? Help { get; init; }

    /// <summary>The library that owns the lock; null if it is the application's own lock, or not a lock.</summary>
    public string? Owner { get; init; }

    /// <summary>Whether the owner writes logs. Then logging less, or in the background, helps.</summary>
    public bool IsLogger { get; init; }

    /// <summary>
    /// Whatever limits the rate even if it is awaited, such as a semaphore or a queue with one consumer. Null if no such limit is known.
    /// </summary>
    public string? Limit { get; init; }
}
