using System.Text.Json.Serialization;

namespace AsyncProbe.Cli.Joining;

/// <summary>How well a call site's figures represent an endpoint's blocked time.</summary>
internal enum SiteCoverage
{
    /// <summary>The sites that were seen account for the endpoint's blocked time.</summary>
    [JsonStringEnumMemberName("fully")]
    Fully,

    /// <summary>Only some requests were watched, so the counts are lower than the truth.</summary>
    [JsonStringEnumMemberName("partly")]
    Partly,

    /// <summary>A stack snapshot found threads there; the counts are of samples.</summary>
    [JsonStringEnumMemberName("sampled")]
    Sampled,

    /// <summary>Seen before the run; no request of this run was watched.</summary>
    [JsonStringEnumMemberName("earlier")]
    Earlier,
}
