using System.Diagnostics;
using System.Text.Json;

namespace AsyncProbe.Tests.Shared;

/// <summary>Asks until it is true: measurements appear a moment after the answer.</summary>
internal static class Eventually
{
    /// <summary>
    /// When a test gives up on what should happen at once. On a crowded machine, a server of a low-priority test may get a core a minute late.
    /// </summary>
    public static readonly TimeSpan Timeout = TimeSpan.FromMinutes(3);

    public static Task TrueAsync(Func<bool> condition, string what) => TrueAsync(condition, () => what);

    public static Task TrueAsync(Func<bool> condition, Func<string> what, TimeSpan? within = null) =>
        TrueAsync(() => Task.FromResult(condition()), what, within);

    public static Task TrueAsync(Func<Task<bool>> condition, string what) => TrueAsync(condition, () => what);

    /// <param name="condition">The condition to wait for.</param>
    /// <param name="what">The message on failure: evaluated only then, so that it can show the last state.</param>
    /// <param name="within">How long to wait.</param>
    public static async Task TrueAsync(Func<Task<bool>> condition, Func<string> what, TimeSpan? within = null)
    {
        if (!await BecomesTrueAsync(condition, within ?? Timeout))
        {
            throw new TimeoutException(what());
        }
    }

    /// <summary>Whether it became true in time, for tests that continue either way and judge the result.</summary>
    public static async Task<bool> BecomesTrueAsync(Func<Task<bool>> condition, TimeSpan within)
    {
        var deadline = DateTime.UtcNow + within;
        while (!await condition())
        {
            if (DateTime.UtcNow > deadline)
            {
                return false;
            }

            await Task.Delay(20);
        }

        return true;
    }

    /// <summary>The result of <paramref name="find"/>, once there is one.</summary>
    public static async Task<T> FoundAsync<T>(Func<Task<T?>> find, Func<string> what, TimeSpan? within = null)
        where T : class
    {
        T? found = null;
        await TrueAsync(async () => (found = await find()) is not null, what, within);
        return found!;
    }

    /// <inheritdoc cref="FoundAsync{T}(Func{Task{T}}, Func{string}, TimeSpan?)"/>
    public static async Task<JsonElement> FoundAsync(Func<Task<JsonElement>> find, Func<string> what, TimeSpan? within = null)
    {
        JsonElement found = default;
        await TrueAsync(async () => (found = await find()).ValueKind != JsonValueKind.Undefined, what, within);
        return found;
    }

    /// <summary>Asks again on this thread until another thread has done its part. Doesn't block, so no wait is measured.</summary>
    public static void Spin(Func<bool> condition, Func<string>? what = null)
    {
        for (var since = Stopwatch.StartNew(); !condition(); Thread.Yield())
        {
            if (since.Elapsed > Timeout)
            {
                throw new TimeoutException(what?.Invoke() ?? "The other thread never came.");
            }
        }
    }
}
