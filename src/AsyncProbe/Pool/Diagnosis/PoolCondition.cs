namespace AsyncProbe.Pool.Diagnosis;

/// <summary>How the pool does, from how long work items wait for a thread. In order of severity.</summary>
internal enum PoolCondition
{
    Healthy,
    Queueing,
    Starved,
}
