using System.Threading.Channels;

namespace AsyncProbe.Sample.Jobs;

/// <summary>
/// A hosted service that does nothing until a route asks for work. The work runs in its own execution context, not the request's.
/// </summary>
internal abstract class Job(string name) : BackgroundService
{
    private readonly Channel<JobOrder> _orders = Channel.CreateUnbounded<JobOrder>();

    protected ChannelReader<JobOrder> Orders => _orders.Reader;

    /// <summary>Completes when the job has done the work, or when the caller has gone.</summary>
    public async Task AskAsync(bool isBlocking, int ms, CancellationToken gone)
    {
        var order = new JobOrder(isBlocking, ms, gone);
        await _orders.Writer.WriteAsync(order, gone);
        await order.Done;
    }

    /// <summary>Runs one unit of work as one operation. That is all that AsyncProbe needs.</summary>
    protected async Task DoAsync(JobOrder order, CancellationToken stop)
    {
        if (order.IsAbandoned)
        {
            return;
        }

        using (AsyncProbeOperation.Start(order.IsBlocking ? $"{name} job, blocking" : $"{name} job, awaited"))
        {
            if (order.IsBlocking)
            {
                Work(order.Ms);
            }
            else
            {
                await WorkAsync(order.Ms, stop);
            }
        }

        order.Finish();
    }

    protected abstract void Work(int ms);

    protected abstract Task WorkAsync(int ms, CancellationToken stop);
}
