namespace AsyncProbe.Pool.Diagnosis;

/// <summary>Whether the pool is watched.</summary>
internal enum PoolWatch
{
    /// <summary>Nothing needs it, AsyncProbe is switched off, or the host isn't running.</summary>
    Off,

    On,

    /// <summary>The watcher's thread could not be started, or kept failing.</summary>
    Lost,
}
