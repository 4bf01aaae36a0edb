using AsyncProbe.Clocks;
using AsyncProbe.Common;

namespace AsyncProbe.Rules;

/// <summary>The figures that show whether requests await most of their time.</summary>
/// <param name="Mean">The mean request.</param>
/// <param name="Duration">The mean duration; null if none was timed.</param>
/// <param name="Suspensions">The mean number of times a request left its thread and came back.</param>
/// <param name="QueueDelay">How long a work item waited for a thread during that time.</param>
internal readonly record struct AwaitedTime(HeldSplit Mean, Duration? Duration, double Suspensions, Duration QueueDelay);
