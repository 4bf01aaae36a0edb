namespace AsyncProbe.Blocking.Stacks;

/// <param name="File">The path from the root of the project, with slashes.</param>
/// <param name="Line">From 1.</param>
internal sealed record SourceLine(string File, int Line)
{
    /// <summary>Where its text is; null when nobody knows.</summary>
    public SourceFile? Source { get; init; }

    /// <summary>The line's own text; null when the file is not there, or is not the one that was compiled.</summary>
    public string? Text => Source?.LineAt(Line);

    /// <summary>Without the folder, which may be of either system's making.</summary>
    public string FileName => File[(File.LastIndexOfAny(['/', '\\']) + 1)..];
}
