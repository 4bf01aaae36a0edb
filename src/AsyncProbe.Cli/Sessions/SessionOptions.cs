using System.Globalization;
using System.Text.Json;
using System.Text.Json.Nodes;

namespace AsyncProbe.Cli.Sessions;

/// <summary>
/// The options block. It keeps the original JSON, so that a session is saved with all its options, even unknown ones. The properties read
/// it with version 1's defaults.
/// </summary>
internal sealed class SessionOptions(JsonObject json)
{
    public const int DefaultTimeoutMs = 15_000;

    public static SessionOptions Default { get; } = new([]);

    public JsonObject Json { get; } = json;

    public string? SiteBaseUrl => Text(nameof(SiteBaseUrl));
    public string? ReplaceDomain => Text(nameof(ReplaceDomain));
    public string? ReplaceQueryStringValuePairs => Text(nameof(ReplaceQueryStringValuePairs));
    public string? ReplaceCookieValue => Text(nameof(ReplaceCookieValue));
    public string? ReplaceAuthorization => Text(nameof(ReplaceAuthorization));
    public string? Username => Text(nameof(Username));
    public string? Password => Text(nameof(Password));
    public string? UserAgent => Text(nameof(UserAgent));
    public string? HttpProtocolVersion => Text(nameof(HttpProtocolVersion));
    public int DelayTimeMs => Number(nameof(DelayTimeMs)) ?? 0;
    public int WarmupSeconds => Math.Max(0, Number(nameof(WarmupSeconds)) ?? 2);

    /// <summary>Version 1's name takes precedence over version 2's. The default is two threads.</summary>
    public int Threads => Math.Max(1, Number("LastThreads") ?? Number("ThreadCount") ?? 2);

    public int Seconds => Math.Max(1, Number("LastSecondsToRun") ?? Number("SecondsToRun") ?? 10);

    public TimeSpan RequestTimeout => TimeSpan.FromMilliseconds(Math.Max(10, Number("RequestTimeoutMs") ?? DefaultTimeoutMs));

    public bool RandomizeRequests => Flag(nameof(RandomizeRequests)) ?? false;
    public bool NoContentDecompression => Flag(nameof(NoContentDecompression)) ?? false;
    public bool IgnoreCertificateErrors => Flag(nameof(IgnoreCertificateErrors)) ?? false;
    public bool TrackPerSessionCookies => Flag(nameof(TrackPerSessionCookies)) ?? true;

    public IReadOnlyList<SessionUser> Users => Json[nameof(Users)] is JsonArray users ? SessionUser.ReadAll(users) : [];

    public IEnumerable<KeyValuePair<string, string>> SessionVariables => Json[nameof(SessionVariables)] is JsonObject variables
        ? variables.Select(pair => KeyValuePair.Create(pair.Key, pair.Value?.ToString() ?? ""))
        : [];

    public string? Text(string name) => Json[name] is JsonValue value && value.TryGetValue(out string? text) ? text : null;

    public int? Number(string name) => AnyNumber(name) is { } number && Math.Abs(number) <= int.MaxValue ? (int)number : null;

    /// <summary>Returns numbers of any size. A quoted number counts as a number, as in lenient JSON libraries.</summary>
    public double? AnyNumber(string name)
    {
        var text = Json[name] is JsonValue value && value.GetValueKind() is JsonValueKind.Number or JsonValueKind.String
            ? Json[name]!.ToString()
            : "";
        return double.TryParse(text, NumberStyles.Float, CultureInfo.InvariantCulture, out var number) && !double.IsNaN(number)
            ? number
            : null;
    }

    public bool? Flag(string name) => (Json[name] as JsonValue)?.GetValueKind() switch
    {
        JsonValueKind.True => true,
        JsonValueKind.False => false,
        _ => bool.TryParse(Text(name), out var flag) ? flag : null,
    };
}
