namespace AsyncProbe.Tests.Blocking.Catalogue;

/// <summary>
/// What the sins share. There is one method for each way to block a thread that the wait hook sees; each waits once, in the line after
/// <see cref="Here.Next"/>.
/// </summary>
internal static class Sins
{
    public const int Ms = 60;

    /// <summary>
    /// The thread that waits for the upstream or for the rest of the request's body. Set by the sin, taken by <see cref="WaitedForAsync"/>.
    /// </summary>
    public static Waiter? Waiter { get; set; }

    public static HttpClient Http { get; set; } = null!;

    /// <summary>Ends a while after <see cref="Waiter"/> starts to wait, or at once if no thread waits.</summary>
    public static async Task WaitedForAsync()
    {
        // The client may get here before the sin does.
        for (var i = 0; i < 50 && Waiter is null; i++)
        {
            await Task.Delay(2);
        }

        await (Waiter ?? Waiter.Nobody).AwaitItsWaitAsync();
        Waiter = null;
        await Task.Delay(Ms);
    }
}
