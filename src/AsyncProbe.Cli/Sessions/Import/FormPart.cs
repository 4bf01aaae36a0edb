namespace AsyncProbe.Cli.Sessions.Import;

internal sealed record FormPart(string Name, string Value, string? ContentType = null, string? FileName = null);
