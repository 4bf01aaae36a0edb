namespace AsyncProbe.Cli.Outcomes;

/// <summary>Ends a command with a sentence on stderr and an exit code.</summary>
internal sealed class CommandException(int exitCode, string message) : Exception(message)
{
    public int ExitCode { get; } = exitCode;
}
