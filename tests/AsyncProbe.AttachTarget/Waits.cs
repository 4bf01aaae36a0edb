namespace Shop;

/// <summary>Each method blocks at one line, which a comment marks.</summary>
internal static class Waits
{
    private static readonly object s_lock = new();
    private static readonly ManualResetEventSlim s_gate = new();

    public static string Result() => Load(30).Result; // blocks: /result

    public static string Sleep()
    {
        Thread.Sleep(30); // blocks: /sleep
        return "sleep";
    }

    public static async Task<string> AfterAwaitAsync()
    {
        await Task.Delay(1).ConfigureAwait(false);
        Load(30).Wait(); // blocks: /late
        return "late";
    }

    public static string Lock()
    {
        lock (s_lock) // blocks: /lock
        {
            var until = Environment.TickCount64 + 10;
            while (Environment.TickCount64 < until)
            {
                Thread.SpinWait(100);
            }
        }

        return "lock";
    }

    public static string Compute()
    {
        var until = Environment.TickCount64 + 20;
        var sum = 0L;
        while (Environment.TickCount64 < until)
        {
            sum++;
        }

        return sum > 0 ? "cpu" : "";
    }

    public static string Fail() => throw new InvalidOperationException("as asked");

    public static Task HandleFailureAsync(HttpContext context)
    {
        Load(30).Wait(); // blocks: /fail
        context.Response.StatusCode = StatusCodes.Status500InternalServerError;
        return context.Response.WriteAsync("failed");
    }

    public static string Stuck()
    {
        s_gate.Wait(); // blocks: /stuck
        return "stuck";
    }

    public static string Release()
    {
        s_gate.Set();
        return "released";
    }

    public static string Starve()
    {
        Load(500).Wait(); // blocks: /starve
        return "starve";
    }

    public static async Task<string> Load(int milliseconds)
    {
        await Task.Delay(milliseconds);
        return "loaded";
    }
}
