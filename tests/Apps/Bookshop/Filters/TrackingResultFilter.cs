using Microsoft.AspNetCore.Mvc.Filters;

namespace Bookshop.Filters;

internal sealed class TrackingResultFilter : IResultFilter
{
    public void OnResultExecuting(ResultExecutingContext context)
    {
    }

    public void OnResultExecuted(ResultExecutedContext context)
    {
        using var done = new ManualResetEventSlim();
        _ = Task.Delay(15).ContinueWith(_ => done.Set(), TaskScheduler.Default);
        done.Wait(); // blocks: tracking
    }
}
