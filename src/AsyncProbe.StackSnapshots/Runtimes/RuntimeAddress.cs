namespace AsyncProbe.StackSnapshots.Runtimes;

/// <summary>Where the runtime of a process accepts diagnostics commands.</summary>
/// <param name="ProcessId">The process id, as this process sees it.</param>
/// <param name="Socket">The path of its Unix domain socket. Windows uses a pipe instead, whose name contains the process id.</param>
/// <param name="WhyNot">Returns the reason why the socket is missing, if it is known.</param>
internal sealed record RuntimeAddress(int ProcessId, string Socket, Func<string?>? WhyNot = null)
{
    /// <summary>The runtime's major version, which decides which commands it knows. By default that of this process.</summary>
    public int Major { get; init; } = Environment.Version.Major;
}
