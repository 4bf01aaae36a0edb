namespace AsyncProbe.Soak;

/// <summary>What the server reports about itself after a garbage collection.</summary>
/// <param name="HeapBytes">The size of reachable objects.</param>
/// <param name="WorkingSetBytes">The memory of the process.</param>
/// <param name="Handles">The process's handles as the runtime counts them; on Linux these are its descriptors.</param>
/// <param name="Descriptors">The number of entries in <c>/proc/self/fd</c>; null where that folder doesn't exist.</param>
/// <param name="Threads">The number of threads in the process.</param>
/// <param name="Exceptions">Exceptions that AsyncProbe threw, caught or logged, and unobserved ones.</param>
/// <param name="Samples">The first of those exceptions, as text.</param>
internal sealed record ServerState(
    long HeapBytes, long WorkingSetBytes, int Handles, int? Descriptors, int Threads, long Exceptions, IReadOnlyList<string> Samples);
