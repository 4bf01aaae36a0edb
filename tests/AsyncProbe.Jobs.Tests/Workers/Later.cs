namespace AsyncProbe.Jobs.Tests.Workers;

/// <summary>The wait of every worker, blocking or not.</summary>
internal static class Later
{
    // Task.Wait spins first, which can take up to 100 ms on a crowded core.
    private const int Ms = 300;

    /// <summary>The pause between two pieces of work.</summary>
    public static TimeSpan Pause { get; } = TimeSpan.FromMilliseconds(100);

    public static async Task OnAsync(CancellationToken stop = default) => await Task.Delay(Ms, stop);
}
