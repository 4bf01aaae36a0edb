namespace AsyncProbe.Tests.Shared;

/// <summary>Asks again until it holds: what is measured appears a moment after the answer.</summary>
internal static class Eventually
{
    public static Task TrueAsync(Func<Task<bool>> condition, string what) => TrueAsync(condition, () => what);

    public static async Task TrueAsync(Func<Task<bool>> condition, Func<string> what)
    {
        var deadline = DateTime.UtcNow + RunningApp.Timeout;
        while (!await condition())
        {
            (DateTime.UtcNow < deadline).ShouldBeTrue(what());
            await Task.Delay(20);
        }
    }
}
