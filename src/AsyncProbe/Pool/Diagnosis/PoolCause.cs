namespace AsyncProbe.Pool.Diagnosis;

/// <summary>Why work items wait.</summary>
internal enum PoolCause
{
    None,

    /// <summary>Most busy threads do nothing.</summary>
    Blocked,

    /// <summary>All threads of a pool that cannot grow wait for work that needs a pool thread.</summary>
    Deadlock,

    /// <summary>The cores are used up.</summary>
    Cpu,

    /// <summary>The garbage collector pauses the process for most of the time.</summary>
    Gc,

    Unknown,
}
