namespace AsyncProbe.Blocking.Sources;

/// <param name="File">The path from the root of the project, with slashes.</param>
/// <param name="Line">The line number, from 1.</param>
internal sealed record SourceLine(string File, int Line)
{
    /// <summary>The file with its text; null when unknown.</summary>
    public SourceFile? Source { get; init; }

    /// <summary>The line's text; null when the file is missing or has changed since it was compiled.</summary>
    public string? Text => Source?.LineAt(Line);

    /// <summary>The file name without the folder. The path may come from Windows or Unix.</summary>
    public string FileName => File[(File.LastIndexOfAny(['/', '\\']) + 1)..];
}
