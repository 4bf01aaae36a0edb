namespace AsyncProbe.Pool.Diagnosis;

/// <summary>The current verdict on the pool.</summary>
/// <param name="Condition">The pool's condition.</param>
/// <param name="Since">When the condition began.</param>
/// <param name="Diagnosis">The reason; null while the pool is healthy.</param>
internal sealed record PoolVerdict(PoolCondition Condition, DateTime Since, PoolDiagnosis? Diagnosis)
{
    public PoolCause Cause => Diagnosis?.Cause ?? PoolCause.None;
}
