namespace AsyncProbe.Sample.Sins;

/// <summary>Tasks that are awaited, or that were already complete when the wait began.</summary>
internal static class TaskInnocents
{
    public static int WaitCompleted(int ms)
    {
        Task.CompletedTask.Wait();
        return ms;
    }

    public static int WaitZero(int ms)
    {
        new TaskCompletionSource().Task.Wait(0);
        return ms;
    }

    public static async Task ResultAfterAwait(HttpContext context, int ms)
    {
        var answer = Later.AnswerAsync(ms);
        await answer;
        _ = answer.Result;
    }

    public static int GetResultCompleted(int ms) => Task.FromResult(ms).GetAwaiter().GetResult();

    public static Task WhenAll(HttpContext context, int ms) => Task.WhenAll(Task.Delay(ms), Task.Delay(ms / 2));

    public static Task WhenAny(HttpContext context, int ms) => Task.WhenAny(Task.Delay(ms), Task.Delay(ms * 2));

    public static async Task RunAwaited(HttpContext context, int ms) => await Task.Run(() => Task.Delay(ms));

    public static async Task AwaitForeach(HttpContext context, int ms)
    {
        await foreach (var item in Later.ItemsAsync(ms))
        {
            _ = item;
        }
    }

    public static Task ParallelForEachAsync(HttpContext context, int ms) =>
        Parallel.ForAsync(0, 4, async (_, cancellation) => await Task.Delay(ms, cancellation));
}
