using Polly;
using Polly.Retry;

namespace Zoo.Http;

internal static class PollyPipeline
{
    private static readonly ResiliencePipeline s_retry = new ResiliencePipelineBuilder()
        .AddRetry(new RetryStrategyOptions { MaxRetryAttempts = 1, Delay = TimeSpan.FromMilliseconds(15) })
        .AddTimeout(TimeSpan.FromSeconds(10))
        .Build();

    public static void Map(IEndpointRouteBuilder app)
    {
        // Polly waits on the calling thread before it tries again.
        // truth: GET /polly/retry: asyncWillHelp
        app.MapGet("/polly/retry", () =>
        {
            var tries = 0;
            s_retry.Execute(() => Fail(++tries)); // blocks: Task.GetResult, for 15 ms
            return tries;
        });

        // truth: GET /polly/work: cpuBound
        app.MapGet("/polly/work", () => s_retry.Execute(() => Work.ForMilliseconds(4)));

        // truth: GET /polly/async: alreadyAsync|fine
        app.MapGet("/polly/async", async () =>
        {
            var tries = 0;
            await s_retry.ExecuteAsync(_ =>
            {
                Fail(++tries);
                return ValueTask.CompletedTask;
            });
            return tries;
        });
    }

    private static void Fail(int tries)
    {
        if (tries == 1)
        {
            throw new TimeoutException();
        }
    }
}
