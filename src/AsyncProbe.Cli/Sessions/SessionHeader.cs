namespace AsyncProbe.Cli.Sessions;

/// <summary>One header as the file has it: order and duplicates are kept, the name is not trimmed.</summary>
internal sealed record SessionHeader(string Name, string Value)
{
    public bool Is(string name) => Name.AsSpan().Trim().Equals(name, StringComparison.OrdinalIgnoreCase);

    /// <summary>Headers that speak to the runner. They are kept on save and never sent.</summary>
    public bool IsForTheRunner => Name.AsSpan().TrimStart().StartsWith("websurge-", StringComparison.OrdinalIgnoreCase);
}
