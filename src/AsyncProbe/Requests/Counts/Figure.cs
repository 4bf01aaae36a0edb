namespace AsyncProbe.Requests.Counts;

/// <summary>What is summed over an endpoint's requests. A new figure needs a member here and a line where the report writes it.</summary>
internal enum Figure
{
    /// <summary>Counted last and read first, so a request that is counted has all of its figures.</summary>
    Requests,
    Failed,
    Aborted,
    FromCache,
    Segments,

    /// <summary>Requests with a duration that counts.</summary>
    Timed,

    /// <summary>Requests that worked for a millisecond or more.</summary>
    Working,

    /// <summary>Requests that were blocked for a millisecond or more.</summary>
    Blocking,

    /// <summary>Requests that were blocked that long where blocking isn't allowed.</summary>
    Unallowed,

    /// <summary>The squares of those times: they distinguish one long request from many short ones. In units of 0.01 ms².</summary>
    UnallowedSquares,

    /// <summary>Requests that spent a millisecond or more without holding a thread.</summary>
    Away,
    Duration,
    Cpu,
    CpuWait,
    Gc,
    Blocked,

    /// <summary>The part of the blocked time in which the collector paused the process.</summary>
    BlockedInGc,
    AfterResponse,

    /// <summary>The part of the blocked time that is allowed.</summary>
    Allowed,

    /// <summary>The part inside a database provider that is synchronous inside, as far as EF Core reported it.</summary>
    Provider,

    /// <summary>The part of that spent retrying a locked database.</summary>
    ProviderRetries,
}

/// <summary>The times whose longest value of a single request is kept.</summary>
internal enum Longest
{
    Held,
    Cpu,
    CpuWait,
    Gc,
    Blocked,
    BlockedInGc,
    Duration,
    AfterResponse,
    Allowed,
}
