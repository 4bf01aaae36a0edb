using System.Diagnostics;

namespace AsyncProbe.Sample.Backend;

/// <summary>How long the other service should take, and how long the call took.</summary>
public sealed record BackendAnswer(int DelayMs, double TookMs)
{
    internal static BackendAnswer After(int delayMs, long began) =>
        new(delayMs, Math.Round(Stopwatch.GetElapsedTime(began).TotalMilliseconds, 1));
}
