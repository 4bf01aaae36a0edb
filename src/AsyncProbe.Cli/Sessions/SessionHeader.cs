namespace AsyncProbe.Cli.Sessions;

/// <summary>One header as in the file: order and duplicates are kept, and the name is not trimmed.</summary>
internal sealed record SessionHeader(string Name, string Value)
{
    public bool Is(string name) => Name.AsSpan().Trim().Equals(name, StringComparison.OrdinalIgnoreCase);

    /// <summary>Whether the header is an instruction to the runner. Such headers are kept on save and never sent.</summary>
    public bool IsForTheRunner => Name.AsSpan().TrimStart().StartsWith("websurge-", StringComparison.OrdinalIgnoreCase);
}
