namespace AsyncProbe.Tests.Shared;

/// <summary>Asks again until it holds: what is measured appears a moment after the answer.</summary>
internal static class Eventually
{
    public static readonly TimeSpan Timeout = TimeSpan.FromSeconds(30);

    public static Task TrueAsync(Func<bool> condition, string what) => TrueAsync(condition, () => what);

    public static Task TrueAsync(Func<bool> condition, Func<string> what, TimeSpan? within = null) =>
        TrueAsync(() => Task.FromResult(condition()), what, within);

    public static Task TrueAsync(Func<Task<bool>> condition, string what) => TrueAsync(condition, () => what);

    /// <param name="condition">What has to become true.</param>
    /// <param name="what">What to say when it did not: evaluated then, so that it can show the last state.</param>
    /// <param name="within">How long to wait.</param>
    public static async Task TrueAsync(Func<Task<bool>> condition, Func<string> what, TimeSpan? within = null)
    {
        var deadline = DateTime.UtcNow + (within ?? Timeout);
        while (!await condition())
        {
            if (DateTime.UtcNow > deadline)
            {
                throw new TimeoutException(what());
            }

            await Task.Delay(20);
        }
    }
}
