using AsyncProbe.Cli.Sessions;

namespace AsyncProbe.Cli.Load;

/// <summary>How to run a session: the command line overrides the file.</summary>
internal sealed record LoadSettings
{
    public int Threads { get; init; } = 2;

    /// <summary>Null when only the number of requests ends the run.</summary>
    public TimeSpan? Duration { get; init; } = TimeSpan.FromSeconds(10);

    public TimeSpan Warmup { get; init; }

    /// <summary>The pause after each request; zero or a negative value means none.</summary>
    public TimeSpan Delay { get; init; }

    public bool Randomize { get; init; }

    /// <summary>The planned starts per second of the open model; null for the closed model.</summary>
    public double? Rate { get; init; }

    /// <summary>The maximum number of requests in flight in the open model.</summary>
    public int MaxInFlight { get; init; } = 10_000;

    /// <summary>Ends the run after this many measured requests.</summary>
    public long? Requests { get; init; }

    /// <summary>Send each active request once, on one thread, without warm-up.</summary>
    public bool Once { get; init; }

    public TimeSpan Timeout { get; init; } = TimeSpan.FromMilliseconds(SessionOptions.DefaultTimeoutMs);

    public string? BaseUrl { get; init; }

    public IReadOnlyList<SessionHeader> ExtraHeaders { get; init; } = [];

    /// <summary>Comes only from the command line: a file from an unknown source must not disable a protection.</summary>
    public bool Insecure { get; init; }

    public bool Http2 { get; init; }

    /// <summary>The number of HTTP/2 connections that all threads share; null when each thread has its own.</summary>
    public int? Connections { get; init; }

    public bool FollowRedirects { get; init; } = true;

    public bool Cookies { get; init; } = true;

    public bool Decompress { get; init; } = true;

    public bool AllowRemote { get; init; }

    /// <summary>Environment variables that the session may send through <c>{{%NAME%}}</c>.</summary>
    public IReadOnlyList<string> AllowedEnvironment { get; init; } = [];

    public bool IsOpen => Rate is not null && !Once;

    /// <summary>The host that the command line names for all requests, whatever their URLs are; null when it names none.</summary>
    public string? Host => ExtraHeaders.FirstOrDefault(header => header.Is("Host"))?.Value;

    /// <summary>The name that a server's certificate must have. The handler uses the same one for the requests.</summary>
    public string NameOf(Uri site) =>
        Host is { } host && Uri.TryCreate("https://" + host, UriKind.Absolute, out var typed) ? typed.IdnHost : site.IdnHost;

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
