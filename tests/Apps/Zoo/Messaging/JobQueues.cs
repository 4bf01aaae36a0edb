using Coravel.Queuing.Interfaces;
using Hangfire;
using Hangfire.InMemory;
using Quartz;

namespace Zoo.Messaging;

/// <summary>Jobs are put into queues, which takes no time; nothing here waits for them.</summary>
internal static class JobQueues
{
    private static readonly BackgroundJobClient s_hangfire = new(new InMemoryStorage());

    public static void Map(IEndpointRouteBuilder app)
    {
        // Hangfire's storage is one thread that serves the others.
        // truth: GET /hangfire: fine|cpuBound|asyncWillHelp
        app.MapGet("/hangfire", () => s_hangfire.Enqueue(() => Console.Out.Flush())); // blocks: WaitHandle, perhaps

        // truth: GET /quartz: fine|cpuBound|alreadyAsync
        app.MapGet("/quartz", async (ISchedulerFactory factory) =>
        {
            var job = JobBuilder.Create<Nothing>().Build();
            var trigger = TriggerBuilder.Create().StartAt(DateTimeOffset.UtcNow.AddDays(1)).Build();
            var scheduler = await factory.GetScheduler(default);
            await scheduler.ScheduleJob(job, trigger, default, default); // blocks: Lock, by Quartz, perhaps
            return "scheduled";
        });

        // truth: GET /coravel: fine
        app.MapGet("/coravel", (IQueue queue) => queue.QueueTask(() => { }));
    }

    private sealed class Nothing : IJob
    {
        public ValueTask Execute(IJobExecutionContext context, CancellationToken cancellation) => ValueTask.CompletedTask;
    }
}
