using AsyncProbe.Cli.Sessions;

namespace AsyncProbe.Cli.Load;

/// <summary>An active request with everything resolved that doesn't change from one send to the next.</summary>
internal sealed record PreparedRequest
{
    public required int Index { get; init; }
    public required string Title { get; init; }
    public required HttpMethod Method { get; init; }
    public required Uri Url { get; init; }
    public required SessionHeader[] Headers { get; init; }
    public SessionHeader[] ContentHeaders { get; init; } = [];
    public byte[] Body { get; init; } = [];

    /// <summary>Kept in addition to the bytes, only for requests that inject a captured value into their JSON.</summary>
    public string? JsonBody { get; init; }
    public TokenRule[] Captures { get; init; } = [];
    public TokenRule[] Injections { get; init; } = [];
    public bool KeepsItsPlace { get; init; }
    public bool HasContent => Body.Length > 0 || ContentHeaders.Length > 0;
}
