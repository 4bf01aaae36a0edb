namespace AsyncProbe.Jobs.Tests.Workers;

/// <summary>What every worker waits for, on the thread or not.</summary>
internal static class Later
{
    // Task.Wait spins first, and on a crowded core up to 100 ms pass like that.
    private const int Ms = 300;

    /// <summary>Between one piece of work and the next.</summary>
    public static TimeSpan Pause { get; } = TimeSpan.FromMilliseconds(100);

    public static async Task OnAsync(CancellationToken stop = default) => await Task.Delay(Ms, stop);
}
