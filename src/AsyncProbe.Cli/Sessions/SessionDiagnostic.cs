namespace AsyncProbe.Cli.Sessions;

/// <summary>Something in a session file that may not do what its author meant.</summary>
internal sealed record SessionDiagnostic(Severity Severity, int Line, string Message)
{
    public string Describe(string file) => $"{file}({Line}): {Severity.ToString().ToLowerInvariant()}: {Message}";
}
