namespace AsyncProbe.Soak;

/// <summary>What the server says of itself, after a collection of garbage.</summary>
/// <param name="HeapBytes">What is reachable.</param>
/// <param name="WorkingSetBytes">What the process has in memory.</param>
/// <param name="Handles">What the runtime counts as handles of the process; on Linux these are its descriptors.</param>
/// <param name="Descriptors">Entries of <c>/proc/self/fd</c>; null where there is no such folder.</param>
/// <param name="Threads">Threads of the process.</param>
/// <param name="Exceptions">Exceptions that AsyncProbe threw, caught or logged, and unobserved ones.</param>
/// <param name="Samples">The first of them, as text.</param>
internal sealed record ServerState(
    long HeapBytes, long WorkingSetBytes, int Handles, int? Descriptors, int Threads, long Exceptions, IReadOnlyList<string> Samples);
