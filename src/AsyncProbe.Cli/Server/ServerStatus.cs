using System.Text.Json.Serialization;

namespace AsyncProbe.Cli.Server;

/// <summary>Whether the server's side is in the report, and if not, why; for a single poll, how it ended.</summary>
internal enum ServerStatus
{
    [JsonStringEnumMemberName("joined")]
    Joined,

    [JsonStringEnumMemberName("off")]
    Off,

    /// <summary>404: nothing is mapped there, or this caller may not look.</summary>
    [JsonStringEnumMemberName("notThere")]
    NotThere,

    /// <summary>The connection was accepted, and no answer came in time.</summary>
    [JsonStringEnumMemberName("noAnswer")]
    NoAnswer,

    /// <summary>Nothing listens there.</summary>
    [JsonStringEnumMemberName("unreachable")]
    Unreachable,

    /// <summary>The connection ended in the middle of an answer.</summary>
    [JsonStringEnumMemberName("reset")]
    Reset,

    /// <summary>What came is no report, or one with impossible figures, or without an end.</summary>
    [JsonStringEnumMemberName("unreadable")]
    Unreadable,

    /// <summary>The answer was another status than 200 or 404.</summary>
    [JsonStringEnumMemberName("refused")]
    Refused,

    /// <summary>The report's schema is not the one that this tool reads.</summary>
    [JsonStringEnumMemberName("otherSchema")]
    OtherSchema,

    /// <summary>The server's certificate is not trusted.</summary>
    [JsonStringEnumMemberName("untrusted")]
    Untrusted,

    /// <summary>The server redirects to what is not the same report on the same host.</summary>
    [JsonStringEnumMemberName("redirected")]
    Redirected,
}
