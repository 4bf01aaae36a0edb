namespace AsyncProbe.Accounting;

/// <summary>The state of a request. <see cref="RequestLife"/> changes it, and lists the transitions.</summary>
internal enum RequestState : byte
{
    /// <summary>The pipeline is running.</summary>
    Running,

    /// <summary>An exception is on its way out of the pipeline.</summary>
    Throwing,

    /// <summary>The server was done with the request before the pipeline ended.</summary>
    ServerFirst,

    /// <summary>The pipeline has ended; the server still runs work for the request.</summary>
    Left,

    /// <summary>The server's callbacks at the end of the request are being followed.</summary>
    Completing,

    /// <summary>Already in the totals because an exception left the pipeline; the server may still run work for the request.</summary>
    CountedEarly,

    /// <summary>The same, while the server's callbacks are being followed.</summary>
    CompletingLate,

    /// <summary>In the totals, and finished.</summary>
    Counted,
}
