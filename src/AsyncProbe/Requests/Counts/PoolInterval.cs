using AsyncProbe.Common;

namespace AsyncProbe.Requests.Counts;

/// <summary>The pool during one interval of a few seconds.</summary>
/// <param name="MostThreads">The highest number of threads that it had.</param>
/// <param name="QueueDelay">The mean time a work item waited for a thread.</param>
internal readonly record struct PoolInterval(int MostThreads, Duration QueueDelay);
