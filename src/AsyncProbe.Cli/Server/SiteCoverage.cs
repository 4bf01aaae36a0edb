using System.Text.Json.Serialization;

namespace AsyncProbe.Cli.Server;

/// <summary>How well a call site's figures speak for all that an endpoint was blocked.</summary>
internal enum SiteCoverage
{
    /// <summary>The sites that were seen make up the endpoint's blocked time.</summary>
    [JsonStringEnumMemberName("fully")]
    Fully,

    /// <summary>Only some requests were looked at: the counts are lower than the truth.</summary>
    [JsonStringEnumMemberName("partly")]
    Partly,

    /// <summary>A stack snapshot found threads there; counts are of samples.</summary>
    [JsonStringEnumMemberName("sampled")]
    Sampled,

    /// <summary>Seen before the run; nothing of this run was looked at.</summary>
    [JsonStringEnumMemberName("earlier")]
    Earlier,
}
