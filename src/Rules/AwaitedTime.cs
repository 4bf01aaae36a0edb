using AsyncProbe.Clocks;
using AsyncProbe.Common;

namespace AsyncProbe.Rules;

/// <summary>The figures that show whether requests await most of their time.</summary>
/// <param name="Mean">The mean request.</param>
/// <param name="Duration">How long it took; null when none was timed.</param>
/// <param name="Suspensions">How often it left its thread and came back.</param>
/// <param name="QueueDelay">How long a work item waited for a thread then.</param>
internal readonly record struct AwaitedTime(HeldSplit Mean, Duration? Duration, double Suspensions, Duration QueueDelay);
