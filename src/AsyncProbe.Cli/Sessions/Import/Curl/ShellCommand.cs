namespace AsyncProbe.Cli.Sessions.Import.Curl;

/// <summary>One command of a script.</summary>
/// <param name="Problem">Why it cannot be read; null when it can.</param>
internal sealed record ShellCommand(IReadOnlyList<ShellWord> Words, string? Problem)
{
    public int Line => Words.Count > 0 ? Words[0].Line : 1;
}
