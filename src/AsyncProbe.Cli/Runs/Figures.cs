using AsyncProbe.Cli.Statistics;

namespace AsyncProbe.Cli.Runs;

/// <summary>Everything counted of one request of the session, or of all.</summary>
internal sealed record Figures
{
    /// <summary>Requests that started, or were due, inside the measured time.</summary>
    public required long Requests { get; init; }
    public required long Failed { get; init; }

    /// <summary>Of what ended inside the measured time, begun in the warm-up or not: a sample cut at both ends would run low.</summary>
    public required double RequestsPerSecond { get; init; }

    /// <summary>Of the successful requests; null when there is none.</summary>
    public LatencyStatistics? TimeMs { get; init; }

    /// <summary>Of the failed requests, kept apart because fast refusals would lower the other times.</summary>
    public LatencyStatistics? FailedTimeMs { get; init; }

    /// <summary>Open model only: the same requests from their actual start.</summary>
    public LatencyStatistics? FromSendMs { get; init; }

    /// <summary>Open model only: requests that left more than 2 ms after their planned start.</summary>
    public long LateStarts { get; init; }
    public long BytesReceived { get; init; }
    public long BytesSent { get; init; }

    /// <summary>By status code; "none" where no response came.</summary>
    public IReadOnlyDictionary<string, long> StatusCodes { get; init; } = new Dictionary<string, long>();
    public IReadOnlyDictionary<string, long> FailureReasons { get; init; } = new Dictionary<string, long>();

    public long Succeeded => Requests - Failed;

    public double FailedShare => Requests == 0 ? 0 : (double)Failed / Requests;
}
