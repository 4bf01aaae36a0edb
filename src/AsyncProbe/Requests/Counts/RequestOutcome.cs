namespace AsyncProbe.Requests.Counts;

/// <summary>How a request ended.</summary>
[Flags]
internal enum RequestOutcome : byte
{
    None = 0,

    /// <summary>An unhandled exception, or a status of 500 or above.</summary>
    Failed = 1,

    /// <summary>The client went away.</summary>
    Aborted = 2,

    /// <summary>Served by output caching, including a 304.</summary>
    FromCache = 4,

    /// <summary>A WebSocket or an event stream: its duration says nothing about speed.</summary>
    LongLived = 8,
}
