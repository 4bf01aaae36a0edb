using AsyncProbe.Cli.Sessions;

namespace AsyncProbe.Cli.Load;

/// <summary>How a session is run: what the file says, unless it was typed.</summary>
internal sealed record LoadSettings
{
    public int Threads { get; init; } = 2;

    /// <summary>Null when only a number of requests ends the run.</summary>
    public TimeSpan? Duration { get; init; } = TimeSpan.FromSeconds(10);

    public TimeSpan Warmup { get; init; }

    /// <summary>The pause after each request; nothing when zero or negative.</summary>
    public TimeSpan Delay { get; init; }

    public bool Randomize { get; init; }

    /// <summary>Planned starts per second: the open model. Null: the closed one.</summary>
    public double? Rate { get; init; }

    /// <summary>Most requests in flight in the open model.</summary>
    public int MaxInFlight { get; init; } = 10_000;

    /// <summary>Ends the run after so many measured requests.</summary>
    public long? Requests { get; init; }

    /// <summary>One pass of the active requests on one thread, without warm-up.</summary>
    public bool Once { get; init; }

    public TimeSpan Timeout { get; init; } = TimeSpan.FromMilliseconds(SessionOptions.DefaultTimeoutMs);

    public string? BaseUrl { get; init; }

    public IReadOnlyList<SessionHeader> ExtraHeaders { get; init; } = [];

    /// <summary>Typed, never the file's: a file from anywhere may not switch a protection off.</summary>
    public bool Insecure { get; init; }

    public bool Http2 { get; init; }

    /// <summary>HTTP/2 connections that all threads share; null: each thread has its own.</summary>
    public int? Connections { get; init; }

    public bool FollowRedirects { get; init; } = true;

    public bool Cookies { get; init; } = true;

    public bool Decompress { get; init; } = true;

    public bool AllowRemote { get; init; }

    /// <summary>Environment variables that the session's <c>{{%NAME%}}</c> may send.</summary>
    public IReadOnlyList<string> AllowedEnvironment { get; init; } = [];

    public bool IsOpen => Rate is not null && !Once;

    public static LoadSettings From(SessionOptions options) => new()
    {
        Threads = options.Threads,
        Duration = TimeSpan.FromSeconds(options.Seconds),
        Warmup = TimeSpan.FromSeconds(options.WarmupSeconds),
        Delay = TimeSpan.FromMilliseconds(options.DelayTimeMs),
        Randomize = options.RandomizeRequests,
        Timeout = options.RequestTimeout,
        Http2 = options.HttpProtocolVersion?.StartsWith('2') ?? false,
        Cookies = options.TrackPerSessionCookies,
        Decompress = !options.NoContentDecompression,
    };
}
