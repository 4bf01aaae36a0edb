namespace AsyncProbe.Sample.Sins;

/// <summary>Blocking outside the request's own code or after it, and work on dedicated threads.</summary>
internal static class BackgroundSins
{
    public static async Task InTaskRun(HttpContext context, int ms) => await Task.Run(() => WaitInside(ms));

    public static Task AfterResponse(HttpContext context, int ms)
    {
        _ = Task.Run(async () =>
        {
            // Let the response finish first.
            await Task.Delay(20);
            WaitAfterwards(ms);
        });
        return Task.CompletedTask;
    }

    public static async Task Endless(HttpContext context, int ms)
    {
        // End it when the caller disconnects or the app stops, so that a curious visitor doesn't cost a thread forever.
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
