using System.Diagnostics;

namespace AsyncProbe.Sample.Jobs;

/// <summary>How long the work was asked to take, and how long it took, the wait for its turn included.</summary>
public sealed record JobAnswer(int Ms, double TookMs)
{
    internal static JobAnswer After(int ms, long began) => new(ms, Math.Round(Stopwatch.GetElapsedTime(began).TotalMilliseconds, 1));
}
