using System.Text.Json.Serialization;

namespace AsyncProbe.Cli.Results;

/// <summary>Whether the server's side is in the report, and if not, why.</summary>
internal enum ServerStatus
{
    [JsonStringEnumMemberName("joined")]
    Joined,

    [JsonStringEnumMemberName("off")]
    Off,

    /// <summary>Something answers there, but it is no report.</summary>
    [JsonStringEnumMemberName("notThere")]
    NotThere,

    [JsonStringEnumMemberName("noAnswer")]
    NoAnswer,

    /// <summary>Nothing listens there.</summary>
    [JsonStringEnumMemberName("unreachable")]
    Unreachable,
}
