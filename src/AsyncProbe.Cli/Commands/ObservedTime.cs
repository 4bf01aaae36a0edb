using System.Diagnostics;
using AsyncProbe.Cli.Observation;
using AsyncProbe.Cli.Outcomes;
using AsyncProbe.Cli.Views;

namespace AsyncProbe.Cli.Commands;

/// <summary>The time for which <c>observe</c> and <c>attach</c> watch.</summary>
internal static class ObservedTime
{
    /// <summary>How often to check for a key press.</summary>
    private static readonly TimeSpan s_keyInterval = TimeSpan.FromMilliseconds(100);

    /// <returns>Whether a signal ended it early; pressing q in a live view doesn't count.</returns>
    public static async Task<bool> WaitAsync(
        FleetObserver observer, int? seconds, bool live, Output output, CancellationToken interrupt, Uri? page = null)
    {
        var interrupted = await ShowAsync(observer, seconds, live, output, interrupt, page);
        if (live && output.IsInteractive)
        {
            FullScreen.Clear(output.MessagesConsole(), output.ResultsAreTerminal);
        }

        return interrupted;
    }

    private static async Task<bool> ShowAsync(
        FleetObserver observer, int? seconds, bool live, Output output, CancellationToken interrupt, Uri? page = null)
    {
        var end = seconds is { } length ? Stopwatch.GetTimestamp() + (length * Stopwatch.Frequency) : long.MaxValue;
        var next = Stopwatch.GetTimestamp() + Stopwatch.Frequency;
        while (Stopwatch.GetTimestamp() is var now && now < end)
        {
            if (interrupt.IsCancellationRequested)
            {
                return seconds is not null;
            }

            if (live && output.IsInteractive && Console.KeyAvailable
                && char.ToLowerInvariant(Console.ReadKey(intercept: true).KeyChar) == 'q')
            {
                return false;
            }

            if (live && now >= next)
            {
                next = now + Stopwatch.Frequency;
                await ObserveScreen.ShowAsync(output, observer.Look(), page);
            }

            // Never negative: Task.Delay would throw, or wait forever.
            var left = Stopwatch.GetElapsedTime(now, end);
            await Task.Delay(left < s_keyInterval ? left : s_keyInterval, interrupt).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        }

        return false;
    }
}
