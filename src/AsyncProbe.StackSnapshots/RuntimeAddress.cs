namespace AsyncProbe.StackSnapshots;

/// <summary>Where the runtime of a process takes diagnostics commands.</summary>
/// <param name="ProcessId">The process, as this one sees it.</param>
/// <param name="Socket">The path of its Unix domain socket; Windows has a pipe instead, which the number names.</param>
/// <param name="WhyNot">Says why the socket isn't there, if that is known.</param>
internal sealed record RuntimeAddress(int ProcessId, string Socket, Func<string?>? WhyNot = null);
