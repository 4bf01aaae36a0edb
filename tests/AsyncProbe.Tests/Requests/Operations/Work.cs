using System.Diagnostics;

namespace AsyncProbe.Tests.Requests.Operations;

/// <summary>Units of work on pool threads that measure their own held time.</summary>
internal static class Work
{
    /// <summary>Runs on a pool thread, without an execution context.</summary>
    public static Task OnPoolAsync(Func<Task> work)
    {
        using (ExecutionContext.SuppressFlow())
        {
            return Task.Run(work).WaitAsync(ProbedApp.Timeout);
        }
    }

    /// <inheritdoc cref="OnPoolAsync(Func{Task})"/>
    public static Task OnPoolAsync(Action work) => OnPoolAsync(() =>
    {
        work();
        return Task.CompletedTask;
    });

    public static double Milliseconds(long from, long to) => Stopwatch.GetElapsedTime(from, to).TotalMilliseconds;
}
