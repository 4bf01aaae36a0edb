namespace AsyncProbe.Cli.Sessions.Export;

/// <summary>A file for another engine, and what of the session is not in it.</summary>
internal sealed record ExportedFile(string Text, IReadOnlyList<string> Losses);
