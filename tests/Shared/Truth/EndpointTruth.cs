namespace AsyncProbe.Tests.Truth;

/// <summary>What is true of one endpoint, known from how it was written. Null values are not judged.</summary>
internal sealed record EndpointTruth
{
    /// <summary>The endpoint's name in the report: <c>GET /albums/{id}</c>.</summary>
    public required string Endpoint { get; init; }

    /// <summary>How it is built, for people who read a finding.</summary>
    public string Note { get; init; } = "";

    /// <summary>
    /// The verdict as the report spells it; several separated by <c>|</c> if it is on the border between them: <c>fine|alreadyAsync</c>.
    /// </summary>
    public string? Verdict { get; init; }

    /// <summary>
    /// Whether threads may also wait in the framework or a library, such as in the console logger's queue. Then a place outside the
    /// application is not a false alarm.
    /// </summary>
    public bool MayBlockInLibraries { get; init; }

    /// <summary>Whether a library handles it, so that none of its code is the application's.</summary>
    public bool IsHandledByLibrary { get; init; }

    /// <summary>Every place where it may block. Any other place that is reported is a false alarm.</summary>
    public IReadOnlyList<SiteTruth> Sites { get; init; } = [];

    /// <summary>The exact number of requests that were sent.</summary>
    public long? Requests { get; init; }

    /// <summary>The milliseconds of the mean request.</summary>
    public Between? HeldMs { get; init; }

    public Between? CpuMs { get; init; }

    public Between? BlockedMs { get; init; }

    public Between? AfterResponseMs { get; init; }

    /// <summary>One more than the number of awaits that suspend.</summary>
    public Between? SegmentsPerRequest { get; init; }
}

/// <summary>A range that includes both ends.</summary>
internal readonly record struct Between(double Low, double High)
{
    public static Between AtLeast(double low) => new(low, double.PositiveInfinity);

    public static Between AtMost(double high) => new(double.NegativeInfinity, high);

    public bool Holds(double value) => value >= Low && value <= High;

    public override string ToString() =>
        double.IsInfinity(High) ? FormattableString.Invariant($"at least {Low:0.###}")
        : double.IsInfinity(Low) ? FormattableString.Invariant($"at most {High:0.###}")
        : FormattableString.Invariant($"{Low:0.###} to {High:0.###}");
}
