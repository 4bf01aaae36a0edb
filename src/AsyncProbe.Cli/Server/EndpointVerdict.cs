namespace AsyncProbe.Cli.Server;

/// <summary>
/// What an endpoint needs, by the run's own figures. The server's verdict speaks of its last minutes or its whole life; of it only what the
/// figures cannot tell is taken: that the provider has no asynchronous I/O, and what kind of healthy it is.
/// </summary>
internal static class EndpointVerdict
{
    public const string AsyncWillHelp = "asyncWillHelp";
    public const string LockContention = "lockContention";
    public const string ProviderIsSynchronous = "providerIsSynchronous";
    public const string CpuBound = "cpuBound";
    public const string AlreadyAsync = "alreadyAsync";
    public const string Fine = "fine";
    public const string NotEnoughData = "notEnoughData";

    /// <summary>As on the server: fewer say nothing.</summary>
    private const int RequestsNeeded = 5;

    private const double WorthMentioningMs = 1;
    private const double ShareWorthChanging = 0.15;
    private const double GainWorthChanging = 1.15;

    private static readonly HashSet<string> s_known =
        new(StringComparer.Ordinal) { AsyncWillHelp, LockContention, ProviderIsSynchronous, CpuBound, AlreadyAsync, Fine, NotEnoughData };

    /// <param name="side">The run's figures.</param>
    /// <param name="row">The server's row after the run.</param>
    /// <param name="before">The server's row before it.</param>
    /// <param name="allowedMs">Blocked time at places that somebody has allowed, in all.</param>
    /// <param name="lockShare">How much of the other blocked time that was seen was spent at locks, 0 to 1.</param>
    /// <param name="limits">The server's threads and cores.</param>
    public static EndpointSide Decide(EndpointSide side, EndpointSnapshot row, EndpointSnapshot? before, double allowedMs, double lockShare, CeilingLimits limits)
    {
        if (side is not { HeldMs.Mean: { } held, CpuMs.Mean: { } cpu, BlockedMs.Mean: { } blocked } || side.Requests < RequestsNeeded)
        {
            return side with { Verdict = NotEnoughData };
        }

        var unwanted = Math.Max(0, blocked - (allowedMs / side.Requests));
        var ready = held - (side.CpuWaitMs.Mean ?? 0);
        var isProvider = row.Verdict == ProviderIsSynchronous;
        var avoidable = isProvider ? 0 : unwanted * (1 - lockShare);
        var ceiling = CeilingFigures.Predict(limits, cpu, side.GcMs.Mean ?? 0, blocked, avoidable);
        var verdict = row.Verdict is { } other && !s_known.Contains(other) ? other
            : unwanted >= WorthMentioningMs && unwanted >= ShareWorthChanging * ready && Blocked(isProvider, lockShare, ceiling) is { } why ? why
            : Healthy(row, before, cpu + (side.GcMs.Mean ?? 0), held);
        var decided = side with { CeilingPerSecond = ceiling, Verdict = verdict };
        return decided with { Advice = EndpointAdvice.Describe(decided) };
    }

    private static string? Blocked(bool isProvider, double lockShare, CeilingFigures? ceiling) =>
        isProvider ? ProviderIsSynchronous
        : lockShare > 0.5 ? LockContention
        : ceiling?.Gain < GainWorthChanging ? null
        : AsyncWillHelp;

    private static string Healthy(EndpointSnapshot row, EndpointSnapshot? before, double work, double held)
    {
        if (row.Verdict == AlreadyAsync && Awaited(row, before))
        {
            return AlreadyAsync;
        }

        var isMostlyAway = Duration(row, before) is { } duration && duration >= WorthMentioningMs && held <= duration / 2;
        return isMostlyAway && Awaited(row, before) && row.Verdict is not CpuBound ? AlreadyAsync
            : work >= WorthMentioningMs ? CpuBound
            : Fine;
    }

    /// <summary>Whether a request gave its thread back at least once.</summary>
    private static bool Awaited(EndpointSnapshot row, EndpointSnapshot? before) =>
        Mean(row.SegmentsPerRequest, row.Requests, before?.SegmentsPerRequest, before?.Requests) is null or > 1.5;

    private static double? Duration(EndpointSnapshot row, EndpointSnapshot? before) =>
        Mean(row.DurationMeanMs, row.Requests, before?.DurationMeanMs, before?.Requests);

    /// <summary>The mean of what came in between, from the means before and after.</summary>
    private static double? Mean(double? after, double requests, double? before, double? earlier) =>
        before is null || earlier is null or 0 ? after : ((after * requests) - (before * earlier)) / (requests - earlier);
}
