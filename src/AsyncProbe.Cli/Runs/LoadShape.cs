namespace AsyncProbe.Cli.Runs;

/// <summary>How the load was made, and what its times therefore mean.</summary>
internal sealed record LoadShape
{
    public const string Closed = "closed";
    public const string Open = "open";
    public const string OncePass = "once";

    public required string Model { get; init; }

    /// <summary>Threads of the closed model; connections that the open one needed.</summary>
    public required int Threads { get; init; }

    /// <summary>Shared by all threads, over HTTP/2; null where each had its own.</summary>
    public int? SharedConnections { get; init; }
    public double? PlannedPerSecond { get; init; }
    public required double WarmupSeconds { get; init; }
    public required double MeasuredSeconds { get; init; }

    /// <summary>How much longer the last answer took to come.</summary>
    public double WaitedSeconds { get; init; }

    /// <summary>
    /// Fewer answers came in the measured time than there are threads: then what was sent in the warm-up counts too, and requests a
    /// second are over the time until the last answer.
    /// </summary>
    public bool ShorterThanRequests { get; init; }
    public double DelayMs { get; init; }
    public bool Randomized { get; init; }
    public double TimeoutMs { get; init; }

    /// <summary>"time from send" or "time from the planned start"; the first is never corrected into the second.</summary>
    public required string TimeMeans { get; init; }
}
