using Microsoft.AspNetCore.Mvc;

namespace AsyncProbe.TestServer;

/// <summary>Endpoint methods so small that their frames vanish from the stack.</summary>
public static class SmallHandlers
{
    // Waits spin before they block.
    internal const int LongEnoughMs = 1000;

    private static readonly Lock s_gate = new();

    public static string Wait()
    {
        var text = "waited";
        Task.Delay(LongEnoughMs).Wait();
        return text;
    }

    public static string WaitDeeper() => Deeper();

    public static string WaitForALock()
    {
        lock (s_gate)
        {
            return "locked";
        }
    }

    /// <summary>Holds the lock until the result is disposed.</summary>
    public static IDisposable Hold()
    {
        ManualResetEventSlim taken = new(), free = new();
        new Thread(() =>
        {
            lock (s_gate)
            {
                taken.Set();
                free.Wait();
            }
        }).Start();
        taken.Wait();
        return new Release(free);
    }

    private static string Deeper()
    {
        Task.Delay(LongEnoughMs).Wait();
        return "waited";
    }

    private sealed class Release(ManualResetEventSlim free) : IDisposable
    {
        public void Dispose() => free.Set();
    }
}

/// <summary>The same as a controller action.</summary>
[ApiController]
[Route("small")]
public sealed class SmallController : ControllerBase
{
    [HttpGet("result")]
    public string Result() => Later().Result;

    private static async Task<string> Later()
    {
        await Task.Delay(SmallHandlers.LongEnoughMs);
        return "waited";
    }
}
