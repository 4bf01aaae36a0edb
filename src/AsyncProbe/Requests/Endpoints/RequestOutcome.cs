namespace AsyncProbe.Requests.Endpoints;

/// <summary>How a request ended, beside what it cost.</summary>
[Flags]
internal enum RequestOutcome
{
    None = 0,

    /// <summary>An unhandled exception, or a status of 500 or above.</summary>
    Failed = 1,

    /// <summary>The client went away.</summary>
    Aborted = 2,

    /// <summary>Served by output caching, a 304 included.</summary>
    FromCache = 4,

    /// <summary>A WebSocket or an event stream: its duration says nothing about speed.</summary>
    LongLived = 8,
}
