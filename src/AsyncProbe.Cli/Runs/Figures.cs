using AsyncProbe.Cli.Statistics;

namespace AsyncProbe.Cli.Runs;

/// <summary>Everything counted for one request of the session, or for all of them.</summary>
internal sealed record Figures
{
    /// <summary>Requests that were sent, or were due, within the measured time.</summary>
    public required long Requests { get; init; }
    public required long Failed { get; init; }

    /// <summary>
    /// Counts every request that ended within the measured time, even if it began in the warm-up: excluding those would understate the
    /// rate.
    /// </summary>
    public required double RequestsPerSecond { get; init; }

    /// <summary>The times of successful requests; null when there are none.</summary>
    public LatencyStatistics? TimeMs { get; init; }

    /// <summary>The times of failed requests, kept separate because fast refusals would lower the other times.</summary>
    public LatencyStatistics? FailedTimeMs { get; init; }

    /// <summary>Open model only: the same requests timed from their actual start.</summary>
    public LatencyStatistics? FromSendMs { get; init; }

    /// <summary>Open model only: requests sent more than 2 ms after their planned start.</summary>
    public long LateStarts { get; init; }
    public long BytesReceived { get; init; }
    public long BytesSent { get; init; }

    /// <summary>Counts by status code; "none" for requests without a response.</summary>
    public IReadOnlyDictionary<string, long> StatusCodes { get; init; } = new Dictionary<string, long>();
    public IReadOnlyDictionary<string, long> FailureReasons { get; init; } = new Dictionary<string, long>();

    public long Succeeded => Requests - Failed;

    public double FailedShare => Requests == 0 ? 0 : (double)Failed / Requests;
}
