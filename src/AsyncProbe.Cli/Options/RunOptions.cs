using System.CommandLine;
using System.Globalization;
using AsyncProbe.Cli.Load;
using AsyncProbe.Cli.Outcomes;
using AsyncProbe.Cli.Server;
using AsyncProbe.Cli.Sessions;
using AsyncProbe.Cli.Sessions.Import;
using AsyncProbe.Cli.Thresholds;

namespace AsyncProbe.Cli.Options;

/// <summary>The options that shape a load, shared by <c>run</c> and <c>compare</c>.</summary>
internal sealed class RunOptions
{
    private readonly Option<int?> _threads = NumberOption.Create(
        "--threads", "-t", 1, SessionLimits.Threads,
        "Simulated threads; with --rate, the most requests in flight. Default: from the file, else 2.");
    private readonly Option<int?> _seconds = NumberOption.Create(
        "--seconds", "-s", 1, SessionLimits.Seconds, "Seconds to measure. Default: from the file, else 10.");
    private readonly Option<int?> _warmup = NumberOption.Create(
        "--warmup", "-w", 0, SessionLimits.WarmupSeconds, "Seconds of load that are not measured. Default: from the file, else 2.");
    private readonly Option<string?> _rate = new("--rate")
    {
        HelpName = "N[,N...]",
        Description = "Open model: start N requests a second, no matter how slow the server is. "
            + "Several rates run one after another (a sweep).",
    };
    private readonly Option<long?> _requests = NumberOption.CreateLong("--requests", 1, "Stop after N measured requests.");
    private readonly Option<bool> _once = new("--once") { Description = "Send each active request once, on one thread, without warm-up." };
    private readonly Option<bool> _randomize = new("--randomize") { Description = "Shuffle the requests once for each thread." };
    private readonly Option<int?> _delay = NumberOption.Create(
        "--delay", null, 0, SessionLimits.DelayMs, "Pause after each request, in ms.", "MS");
    private readonly Option<string?> _baseUrl = new("--base-url")
    {
        HelpName = "URL",
        Description = "The server to send to. Also replaces the server in absolute URLs.",
    };
    private readonly Option<string[]> _headers = new("-H", "--header")
    {
        HelpName = "\"Name: value\"",
        Description = "A header for every request. Replaces the session's header of that name. Repeatable.",
    };
    private readonly Option<bool> _insecure = new("--insecure", "-k") { Description = "Accept any TLS certificate." };
    private readonly Option<bool> _http2 = new("--http2") { Description = "Use HTTP/2." };
    private readonly Option<int?> _connections = NumberOption.Create(
        "--connections", null, 1, SessionLimits.Threads,
        "HTTP/2 connections that all threads share. Default: each thread has its own.");
    private readonly Option<string?> _timeout = new("--timeout")
    {
        HelpName = "15s",
        Description = "How long a request may take before it counts as failed: 500ms, 15s, 1m.",
    };
    private readonly Option<bool> _noRedirect = new("--no-redirect")
    {
        Description = "Don't follow redirects. By default, redirects to hosts of the session are followed.",
    };
    private readonly Option<bool> _allowRemote = new("--allow-remote")
    {
        Description = "Allow load on another machine's server even if it has no /websurge-allow.txt.",
    };
    private readonly Option<string[]> _allowEnvironment = new("--allow-env")
    {
        HelpName = "NAME",
        Description = "An environment variable that {{%NAME%}} in the session may send. Repeatable.",
    };
    private readonly Option<string?> _probe = new("--probe")
    {
        HelpName = "auto|off|URL",
        Description = "The address of the server's report. auto tries /_threadpool on the target.",
    };
    private readonly ThresholdOption _thresholds = new(
        "Repeatable: 'p(95)<500' 'failed.rate<0.01' 'rps>90' 'name[Album]:p(99)<800' 'blocked.avg<5' 'pool.threads.max<50'.", _ => null);

    private readonly ImportOptions _import = new();

    public void AddTo(Command command)
    {
        foreach (var option in (Option[])[_threads, _seconds, _warmup, _rate, _requests, _once, _randomize, _delay, _baseUrl, _headers,
            _insecure, _http2, _connections, _timeout, _noRedirect, _allowRemote, _allowEnvironment, _probe, _thresholds])
        {
            command.Options.Add(option);
        }

        _import.AddTo(command);
    }

    public ImportSettings Import(ParseResult parsed) => _import.Settings(parsed);

    /// <summary>The settings for a session: from the command line, otherwise from the file, otherwise the defaults.</summary>
    public LoadSettings Settings(ParseResult parsed, SessionOptions file, double? rate)
    {
        var settings = LoadSettings.From(file);
        var typedThreads = parsed.GetValue(_threads);
        var requests = parsed.GetValue(_requests);
        var http2 = settings.Http2 || parsed.GetValue(_http2);
        var connections = parsed.GetValue(_connections);
        if (connections is not null && !http2)
        {
            throw Wrong("--connections needs --http2, because a connection of HTTP/1.1 carries one request at a time.");
        }

        return settings with
        {
            Threads = typedThreads ?? settings.Threads,
            MaxInFlight = typedThreads ?? settings.MaxInFlight,
            Duration = parsed.GetValue(_seconds) is { } seconds ? TimeSpan.FromSeconds(seconds) : requests is null
                ? settings.Duration
                : null,
            Warmup = parsed.GetValue(_warmup) is { } warmup ? TimeSpan.FromSeconds(warmup) : settings.Warmup,
            Delay = parsed.GetValue(_delay) is { } delay ? TimeSpan.FromMilliseconds(delay) : settings.Delay,
            Randomize = settings.Randomize || parsed.GetValue(_randomize),
            Rate = rate,
            Requests = requests,
            Once = parsed.GetValue(_once),
            Timeout = parsed.GetValue(_timeout) is { } timeout ? ParseTime(timeout) : settings.Timeout,
            BaseUrl = BaseUrl(parsed.GetValue(_baseUrl)),
            ExtraHeaders = [.. (parsed.GetValue(_headers) ?? []).Select(Header)],
            Insecure = parsed.GetValue(_insecure),
            Http2 = http2,
            Connections = connections,
            FollowRedirects = !parsed.GetValue(_noRedirect),
            AllowRemote = parsed.GetValue(_allowRemote),
            AllowedEnvironment = [.. (parsed.GetValue(_allowEnvironment) ?? []).Select(name => name.Trim('%'))],
        };
    }

    /// <summary>Empty in the closed model.</summary>
    public double[] Rates(ParseResult parsed) => parsed.GetValue(_rate) is { } text
        ? [.. text.Split(',', StringSplitOptions.TrimEntries).Select(Rate)]
        : [];

    public ProbeChoice Probe(ParseResult parsed) => parsed.GetValue(_probe) switch
    {
        null or "auto" => ProbeChoice.Auto,
        "off" => new ProbeChoice(Off: true, null),
        var url when Uri.TryCreate(url, UriKind.Absolute, out var probe) && probe.Scheme is "http" or "https" =>
            new ProbeChoice(Off: false, new Uri(url)),
        var other =>
            throw Wrong(
                $"--probe is \"{other}\"; it takes auto, off or a URL such "
                    + $"as {Suggestion.Url(other) ?? "http://127.0.0.1:5080/_threadpool"}."),
    };

    public IReadOnlyList<Threshold> Thresholds(ParseResult parsed) => _thresholds.Read(parsed);

    private static double Rate(string text) =>
        double.TryParse(text, NumberStyles.Float, CultureInfo.InvariantCulture, out var rate) && rate is > 0 and <= 1_000_000
            ? rate
            : throw Wrong($"--rate holds \"{text}\"; it takes numbers above 0, such as 50 or 5,10,20,50.");

    private static string? BaseUrl(string? text) =>
        text is null || (Uri.TryCreate(text, UriKind.Absolute, out var url) && url.Scheme is "http" or "https")
            ? text
            : throw Wrong($"--base-url is \"{text}\"; it takes a URL such as {Suggestion.Url(text) ?? "http://127.0.0.1:5080"}.");

    private static SessionHeader Header(string text)
    {
        var colon = text.IndexOf(':', StringComparison.Ordinal);
        if (colon <= 0)
        {
            throw Wrong("-H takes \"Name: value\"; one of them has no name and colon.");
        }

        var header = new SessionHeader(text[..colon].Trim(), text[(colon + 1)..].Trim());
        if (!header.IsValid)
        {
            throw Wrong(
                $"-H can't send \"{header.Name}\": HTTP allows letters, digits and !#$%&'*+-.^_`|~ in a name, and no line break in a value.");
        }

        // A session's Host belongs to the server that it was captured from, but a typed one names a virtual host of this server.
        return !SentHeaders.IsNever(header.Name) || header.Is("Host")
            ? header
            : throw Wrong(
                $"-H can't send {header.Name}: either the command sets it, or it would change what a repeated request means. Leave it out.");
    }

    private static TimeSpan ParseTime(string text)
    {
        var (number, unit) = text switch
        {
            _ when text.EndsWith("ms", StringComparison.OrdinalIgnoreCase) => (text[..^2], 0.001),
            _ when text.EndsWith('s') || text.EndsWith('S') => (text[..^1], 1),
            _ when text.EndsWith('m') => (text[..^1], 60),
            _ => (text, 1d),
        };
        return double.TryParse(number, NumberStyles.Float, CultureInfo.InvariantCulture, out var value) && value * unit >= 0.01
            && value * unit <= SessionLimits.TimeoutMs / 1000.0
            ? TimeSpan.FromSeconds(value * unit)
            : throw Wrong($"--timeout is \"{text}\"; it takes 500ms, 15s or 1m, from 10ms to {SessionLimits.TimeoutMs / 1000}s.");
    }

    private static CommandException Wrong(string message) => new(ExitCode.Usage, message);
}
