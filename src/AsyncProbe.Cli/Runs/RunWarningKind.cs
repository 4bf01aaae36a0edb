using System.Text.Json.Serialization;

namespace AsyncProbe.Cli.Runs;

/// <summary>The subject of a warning, for programs that read results; the text is for people.</summary>
internal enum RunWarningKind
{
    /// <summary>More than half of the requests failed.</summary>
    [JsonStringEnumMemberName("mostlyFailed")]
    MostlyFailed,

    /// <summary>The tool may have been the bottleneck.</summary>
    [JsonStringEnumMemberName("clientLimited")]
    ClientLimited,

    /// <summary>The requests take longer than the measured time.</summary>
    [JsonStringEnumMemberName("shorterThanRequests")]
    ShorterThanRequests,

    /// <summary>Requests had no answer when the run ended.</summary>
    [JsonStringEnumMemberName("unanswered")]
    Unanswered,

    /// <summary>Fewer requests were answered in time than were planned.</summary>
    [JsonStringEnumMemberName("fellBehind")]
    FellBehind,
}
