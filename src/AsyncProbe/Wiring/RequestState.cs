namespace AsyncProbe.Wiring;

/// <summary>Where a request is in its life. <see cref="RequestLife"/> moves it on, and says which ways there are.</summary>
internal enum RequestState
{
    /// <summary>The pipeline runs.</summary>
    Running,

    /// <summary>An exception is on its way out of the pipeline.</summary>
    Throwing,

    /// <summary>The server was done with the request before the pipeline had ended.</summary>
    ServerFirst,

    /// <summary>The pipeline has ended; the server still runs what belongs to the request.</summary>
    Left,

    /// <summary>The request is followed into the server's callbacks.</summary>
    Completing,

    /// <summary>In the totals because an exception left the pipeline; the server may still run what belongs to the request.</summary>
    CountedEarly,

    /// <summary>The same, followed into the server's callbacks.</summary>
    CompletingLate,

    /// <summary>In the totals, and over.</summary>
    Counted,
}
