using System.Buffers;

namespace AsyncProbe.Cli.Sessions;

/// <summary>One header as in the file: order and duplicates are kept, and the name is not trimmed.</summary>
internal sealed record SessionHeader(string Name, string Value)
{
    private static readonly SearchValues<char> s_token =
        SearchValues.Create("!#$%&'*+-.^_`|~0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz");

    /// <summary>Whether a request can have this header.</summary>
    public bool IsValid =>
        Name.Length > 0 && !Name.AsSpan().ContainsAnyExcept(s_token) && !Value.AsSpan().ContainsAny('\r', '\n', '\0');

    public bool Is(string name) => Name.AsSpan().Trim().Equals(name, StringComparison.OrdinalIgnoreCase);

    /// <summary>Whether the header is an instruction to the runner. Such headers are kept on save and never sent.</summary>
    public bool IsForTheRunner => Name.AsSpan().TrimStart().StartsWith("websurge-", StringComparison.OrdinalIgnoreCase);
}
