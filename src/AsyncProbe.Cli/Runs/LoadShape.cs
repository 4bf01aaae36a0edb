namespace AsyncProbe.Cli.Runs;

/// <summary>How the load was generated, which determines what its times mean.</summary>
internal sealed record LoadShape
{
    public const string Closed = "closed";
    public const string Open = "open";
    public const string OncePass = "once";

    public required string Model { get; init; }

    /// <summary>The threads of the closed model, or the connections that the open model needed.</summary>
    public required int Threads { get; init; }

    /// <summary>The number of HTTP/2 connections shared by all threads; null when each thread had its own.</summary>
    public int? SharedConnections { get; init; }
    public double? PlannedPerSecond { get; init; }

    /// <summary>
    /// Open model: the requests that ended per second in the later half of the plan. By then, a slow but steady server answers as many as
    /// are planned. Null if the run was interrupted.
    /// </summary>
    public double? SettledPerSecond { get; init; }
    public required double WarmupSeconds { get; init; }
    public required double MeasuredSeconds { get; init; }

    /// <summary>How long after the measured time the last answer arrived.</summary>
    public double WaitedSeconds { get; init; }

    /// <summary>
    /// Whether fewer answers came in the measured time than there are threads. If so, requests sent in the warm-up count too, and requests
    /// per second are based on the time until the last answer.
    /// </summary>
    public bool ShorterThanRequests { get; init; }
    public double DelayMs { get; init; }
    public bool Randomized { get; init; }
    public double TimeoutMs { get; init; }

    /// <summary>"time from send" or "time from the planned start"; the first is never corrected into the second.</summary>
    public required string TimeMeans { get; init; }
}
