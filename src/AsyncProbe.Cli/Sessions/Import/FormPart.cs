namespace AsyncProbe.Cli.Sessions.Import;

/// <summary>One part of a multipart form.</summary>
internal sealed record FormPart(string Name, string Value, string? ContentType = null, string? FileName = null);
