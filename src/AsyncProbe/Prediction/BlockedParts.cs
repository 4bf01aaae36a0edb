namespace AsyncProbe.Prediction;

/// <summary>What a mean request's blocked time consists of, in nanoseconds.</summary>
/// <param name="Blocked">All of it.</param>
/// <param name="Allowed">What an attribute, a scope or a rule allows.</param>
/// <param name="Locks">At locks that others hold.</param>
/// <param name="Provider">In a database provider that waits inside its asynchronous methods too.</param>
internal readonly record struct BlockedParts(long Blocked, long Allowed, long Locks, long Provider)
{
    /// <summary>What somebody may want to change.</summary>
    public long Accused => Math.Max(0, Blocked - Allowed);

    /// <summary>What await removes.</summary>
    public long Avoidable => Math.Max(0, Accused - Locks - Provider);
}
