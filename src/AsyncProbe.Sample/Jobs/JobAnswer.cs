using System.Diagnostics;

namespace AsyncProbe.Sample.Jobs;

/// <summary>How long the work should take, and how long it took, including the wait for its turn.</summary>
public sealed record JobAnswer(int Ms, double TookMs)
{
    internal static JobAnswer After(int ms, long began) => new(ms, Math.Round(Stopwatch.GetElapsedTime(began).TotalMilliseconds, 1));
}
