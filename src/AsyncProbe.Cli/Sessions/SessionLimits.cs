namespace AsyncProbe.Cli.Sessions;

/// <summary>
/// The maximum that a session or a command line may ask for. More would run out of memory or overflow instead of printing an error.
/// </summary>
internal static class SessionLimits
{
    public const int Threads = 10_000;
    public const int Seconds = 7 * 86_400;
    public const int WarmupSeconds = 86_400;
    public const int DelayMs = 86_400_000;
    public const int TimeoutMs = 86_400_000;
    public const int ActiveRequests = 10_000;

    /// <summary>Includes inactive requests.</summary>
    public const int Requests = 2 * ActiveRequests;

    /// <summary>The message about a file with more.</summary>
    public static readonly string TooManyRequests = $"The file has more than {Requests} requests; the rest is not read.";

    /// <summary>The limit for one request. Servers reject a tenth of that.</summary>
    public const int Headers = 1000;

    /// <summary>Headers times URLs of one curl command, which sends all of its headers to each URL.</summary>
    public const int HeadersOfCommand = 20_000;

    /// <summary>Characters times URLs of one curl command, which sends its body and its headers to each URL.</summary>
    public const int LengthOfCommand = 5_000_000;

    /// <summary>Characters that the variables of a <c>.http</c> file stand for, each counted wherever it is used.</summary>
    public const int LengthOfValues = 5_000_000;

    /// <summary>Requests times users, or times threads if each thread has its own order.</summary>
    public const int PreparedRequests = 1_000_000;

    /// <summary>The options that are limited.</summary>
    public static IReadOnlyDictionary<string, int> OfOptions { get; } = new Dictionary<string, int>(StringComparer.OrdinalIgnoreCase)
    {
        ["LastThreads"] = Threads,
        ["ThreadCount"] = Threads,
        ["LastSecondsToRun"] = Seconds,
        ["SecondsToRun"] = Seconds,
        ["WarmupSeconds"] = WarmupSeconds,
        ["DelayTimeMs"] = DelayMs,
        ["RequestTimeoutMs"] = TimeoutMs,
    };
}
