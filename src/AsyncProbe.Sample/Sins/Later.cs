namespace AsyncProbe.Sample.Sins;

/// <summary>Results that are available after a while.</summary>
internal static class Later
{
    public static async Task<int> AnswerAsync(int ms)
    {
        await Task.Delay(ms);
        return ms;
    }

    public static async ValueTask<int> ValueAsync(int ms)
    {
        await Task.Delay(ms);
        return ms;
    }

    public static async IAsyncEnumerable<int> ItemsAsync(int ms)
    {
        await Task.Delay(ms);
        yield return ms;
    }

    /// <summary>Takes a while to dispose.</summary>
    public sealed class Leaver(int ms) : IAsyncDisposable
    {
        public async ValueTask DisposeAsync() => await Task.Delay(ms);
    }
}
