using AsyncProbe.Common;

namespace AsyncProbe.Requests.Endpoints;

/// <summary>The pool in one interval of a few seconds.</summary>
/// <param name="MostThreads">The most threads that it had.</param>
/// <param name="QueueDelay">How long a work item waited for a thread, as a mean.</param>
internal readonly record struct PoolInterval(int MostThreads, Duration QueueDelay);
