namespace AsyncProbe.Cli.Sessions.Export;

/// <summary>A variable that the exported requests use. Without a value it is sent as the session writes it.</summary>
internal sealed record ExportVariable(string Name, string? Value)
{
    public string AsWritten => $"{{{{{Name}}}}}";
}
