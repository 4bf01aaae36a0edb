namespace AsyncProbe.Pool.Diagnosis;

/// <summary>What is to be said about the pool now.</summary>
/// <param name="Condition">How it does.</param>
/// <param name="Since">Since when.</param>
/// <param name="Diagnosis">Why; null while it is healthy.</param>
internal sealed record PoolVerdict(PoolCondition Condition, DateTime Since, PoolDiagnosis? Diagnosis)
{
    public PoolCause Cause => Diagnosis?.Cause ?? PoolCause.None;
}
