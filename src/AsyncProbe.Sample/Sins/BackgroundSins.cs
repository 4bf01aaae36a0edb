namespace AsyncProbe.Sample.Sins;

/// <summary>Blocking beside or after the request, and work on threads that are nobody's but its own.</summary>
internal static class BackgroundSins
{
    public static async Task InTaskRun(HttpContext context, int ms) => await Task.Run(() => WaitInside(ms));

    public static Task AfterResponse(HttpContext context, int ms)
    {
        _ = Task.Run(async () =>
        {
            // The answer goes first.
            await Task.Delay(20);
            WaitAfterwards(ms);
        });
        return Task.CompletedTask;
    }

    public static async Task Endless(HttpContext context, int ms)
    {
        // The caller's leaving and the app's stop end it, so that a curious visitor costs no thread for ever.
        var stopping = context.RequestServices.GetRequiredService<IHostApplicationLifetime>().ApplicationStopping;
        using var end = CancellationTokenSource.CreateLinkedTokenSource(context.RequestAborted, stopping);
        try
        {
            new TaskCompletionSource().Task.Wait(end.Token);
        }
        catch (OperationCanceledException)
        {
            await Task.CompletedTask;
        }
    }

    public static Task OwnThread(HttpContext context, int ms)
    {
        var done = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        new Thread(() =>
        {
            Thread.Sleep(ms);
            done.SetResult();
        })
        { IsBackground = true }.Start();
        return done.Task;
    }

    public static Task LongRunning(HttpContext context, int ms) =>
        Task.Factory.StartNew(() => Thread.Sleep(ms), CancellationToken.None, TaskCreationOptions.LongRunning, TaskScheduler.Default);

    private static int WaitInside(int ms)
    {
        Task.Delay(ms).Wait();
        return ms;
    }

    private static int WaitAfterwards(int ms)
    {
        Task.Delay(ms).Wait();
        return ms;
    }
}
