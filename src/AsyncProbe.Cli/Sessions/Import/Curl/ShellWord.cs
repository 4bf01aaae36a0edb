namespace AsyncProbe.Cli.Sessions.Import.Curl;

/// <summary>One word of a command, its quotes removed.</summary>
internal sealed record ShellWord(string Text, int Line);
