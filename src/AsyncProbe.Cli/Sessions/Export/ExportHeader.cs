namespace AsyncProbe.Cli.Sessions.Export;

/// <summary>A header to send, whose value may contain variables.</summary>
internal sealed record ExportHeader(string Name, ExportText Value)
{
    public bool Is(string name) => Name.Equals(name, StringComparison.OrdinalIgnoreCase);
}
