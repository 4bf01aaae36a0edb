namespace AsyncProbe.Pool.Diagnosis;

/// <summary>The pool's condition, based on how long work items wait for a thread. In order of severity.</summary>
internal enum PoolCondition
{
    Healthy,
    Queueing,
    Starved,
}
