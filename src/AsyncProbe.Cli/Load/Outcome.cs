namespace AsyncProbe.Cli.Load;

/// <summary>One finished request. Times are <see cref="System.Diagnostics.Stopwatch"/> timestamps.</summary>
internal readonly record struct Outcome
{
    public required int Request { get; init; }

    /// <summary>When it should have started; in the closed model, when it actually did.</summary>
    public required long Planned { get; init; }
    public required long Sent { get; init; }
    public required long Ended { get; init; }

    /// <summary>0 without a response.</summary>
    public int Status { get; init; }

    /// <summary>Null when it succeeded: the status was below 400 and the body was read to the end.</summary>
    public string? Failure { get; init; }
    public long BytesReceived { get; init; }
    public long BytesSent { get; init; }
}
