namespace AsyncProbe.Cli.Sessions.Export;

/// <summary>A file for another engine, and which parts of the session it lacks.</summary>
internal sealed record ExportedFile(string Text, IReadOnlyList<string> Losses);
