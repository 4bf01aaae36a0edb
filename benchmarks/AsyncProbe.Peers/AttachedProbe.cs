namespace AsyncProbe.Peers;

/// <summary>Whether a variant's process gets a probe from outside.</summary>
internal enum AttachedProbe
{
    /// <summary>No probe is attached.</summary>
    Never,

    /// <summary>A probe is attached before the first request, and stays.</summary>
    Always,

    /// <summary>A probe measured the first requests, and then left.</summary>
    Once,
}
