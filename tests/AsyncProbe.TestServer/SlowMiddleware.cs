namespace AsyncProbe.TestServer;

/// <summary>A library's middleware that blocks before it calls the next one.</summary>
public sealed class SlowMiddleware(RequestDelegate next)
{
    // Waits and locks spin before they block.
    private const int LongEnoughMs = 1000;

    private static readonly Lock s_gate = new();
    private static int s_passed;

    public Task InvokeAsync(HttpContext context)
    {
        if (context.Request.Path == "/library-waits")
        {
            Task.Delay(LongEnoughMs).Wait();
        }

        if (context.Request.Path == "/library-locks")
        {
            WaitForTheLock();
        }

        return next(context);
    }

    private static void WaitForTheLock()
    {
        using var taken = new ManualResetEventSlim();
        var other = new Thread(() =>
        {
            lock (s_gate)
            {
                taken.Set();
                Thread.Sleep(LongEnoughMs);
            }
        });
        other.Start();
        SpinWait.SpinUntil(() => taken.IsSet);
        lock (s_gate)
        {
            s_passed++;
        }
    }
}
