namespace AsyncProbe.Cli.Thresholds;

/// <summary>One parsed threshold, such as <c>name[Album]:p(99)&lt;800</c>; latencies are in milliseconds.</summary>
internal sealed record Threshold(string Expression, string? Name, string Metric, double? Percent, string Operator, double Limit)
{
    /// <summary>Also shown in the help and in docs/asyncprobe.md.</summary>
    public const string Grammar = """
        threshold  = [ "name[", text, "]:" ], metric, operator, number ;
        metric     = "p(", number, ")" | "min" | "avg" | "med" | "max" | "dev"            time of successful requests, ms
                   | "fromsend.p(", number, ")" | "fromsend.avg" | "fromsend.max"         the same from the actual send (--rate)
                   | "rps" | "requests" | "failed.count" | "failed.rate"                  a second; counts; 0 to 1
                   | "late.count" | "late.rate" | "unanswered"                            late starts (--rate); no answer at the end
                   | ( "held" | "cpu" | "cpuwait" | "gc" | "blocked" ), ( ".avg" | ".max" | ".total" )      server, ms a request
                   | "pool.threads.max" | "pool.queuedelay.max" | "pool.pending.max" | "pool.blockedthreads.max"
                   | "sites.new"                                                          call sites that are not in the --baseline
                   ;
        operator   = "<" | "<=" | ">" | ">=" | "==" | "!=" ;
        """;

    public bool IsAboutFailures => ThresholdMetrics.IsAboutFailures(Metric);

    /// <summary>The unit of the figure; null for a share.</summary>
    public string? Unit => ThresholdMetrics.Unit(Metric);

    public bool NeedsServer => ThresholdMetrics.IsServer(Metric);

    public bool Holds(double actual) => Operator switch
    {
        "<" => actual < Limit,
        "<=" => actual <= Limit,
        ">" => actual > Limit,
        ">=" => actual >= Limit,
        "==" => Math.Abs(actual - Limit) < 1e-9,
        _ => Math.Abs(actual - Limit) >= 1e-9,
    };
}
