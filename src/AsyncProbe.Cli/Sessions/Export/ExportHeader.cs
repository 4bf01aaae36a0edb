namespace AsyncProbe.Cli.Sessions.Export;

/// <summary>A header to send, with variables in its value.</summary>
internal sealed record ExportHeader(string Name, ExportText Value)
{
    public bool Is(string name) => Name.Equals(name, StringComparison.OrdinalIgnoreCase);
}
