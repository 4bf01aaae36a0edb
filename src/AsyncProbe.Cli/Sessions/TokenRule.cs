namespace AsyncProbe.Cli.Sessions;

/// <summary>A request header that captures a value from the response, or injects one captured earlier.</summary>
internal sealed record TokenRule(TokenKind Kind, string Lookup, string Property)
{
    private const string Prefix = "WebSurge-Request-";

    public bool Captures => Kind is TokenKind.CaptureJson or TokenKind.CaptureAuthorization;

    public static TokenRule? Parse(SessionHeader header)
    {
        if (!header.Is(header.Name) || !header.Name.Trim().StartsWith(Prefix, StringComparison.OrdinalIgnoreCase))
        {
            return null;
        }

        TokenKind? kind = header.Name.Trim()[Prefix.Length..].ToUpperInvariant() switch
        {
            "CAPTUREJSONTOKEN" => TokenKind.CaptureJson,
            "INJECTJSONBEARERTOKEN" => TokenKind.InjectBearer,
            "INJECTJSONTOKEN" => TokenKind.InjectJson,
            "CAPTUREANDSETAUTHORIZATIONBEARERTOKENFROMJSON" => TokenKind.CaptureAuthorization,
            _ => null,
        };
        if (kind is null || header.Value.Length == 0)
        {
            return null;
        }

        // "lookup|replace" when the captured name and the property to replace differ.
        var names = header.Value.Split('|', 2, StringSplitOptions.TrimEntries);
        return new(kind.Value, names[0], names[^1]);
    }

    public static IReadOnlyList<TokenRule> FindAll(SessionRequest request) => [.. request.Headers.Select(Parse).OfType<TokenRule>()];
}
