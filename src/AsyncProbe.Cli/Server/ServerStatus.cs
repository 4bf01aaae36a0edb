using System.Text.Json.Serialization;

namespace AsyncProbe.Cli.Server;

/// <summary>Whether the report includes the server's side, and if not, why. For a single poll, how it ended.</summary>
internal enum ServerStatus
{
    [JsonStringEnumMemberName("joined")]
    Joined,

    [JsonStringEnumMemberName("off")]
    Off,

    /// <summary>404: nothing is mapped there, or this caller has no access.</summary>
    [JsonStringEnumMemberName("notThere")]
    NotThere,

    /// <summary>The connection was accepted, but no answer came in time.</summary>
    [JsonStringEnumMemberName("noAnswer")]
    NoAnswer,

    /// <summary>Nothing listens there.</summary>
    [JsonStringEnumMemberName("unreachable")]
    Unreachable,

    /// <summary>The connection ended in the middle of an answer.</summary>
    [JsonStringEnumMemberName("reset")]
    Reset,

    /// <summary>The response isn't a report, or it contains impossible figures or never ends.</summary>
    [JsonStringEnumMemberName("unreadable")]
    Unreadable,

    /// <summary>The answer's status was neither 200 nor 404.</summary>
    [JsonStringEnumMemberName("refused")]
    Refused,

    /// <summary>This tool doesn't know the report's schema.</summary>
    [JsonStringEnumMemberName("otherSchema")]
    OtherSchema,

    /// <summary>The server's certificate is not trusted.</summary>
    [JsonStringEnumMemberName("untrusted")]
    Untrusted,

    /// <summary>The server redirects to something other than the same report on the same host.</summary>
    [JsonStringEnumMemberName("redirected")]
    Redirected,
}
