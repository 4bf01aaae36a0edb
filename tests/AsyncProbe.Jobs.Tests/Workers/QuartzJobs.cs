using Microsoft.Extensions.DependencyInjection;
using Quartz;

namespace AsyncProbe.Jobs.Tests.Workers;

/// <summary>Quartz jobs, with an in-memory schedule.</summary>
internal static class QuartzJobs
{
    public static void AddJobs(this IServiceCollection services)
    {
        services.AddQuartz(quartz =>
        {
            Add<BlockingJob>(quartz);
            Add<AwaitingJob>(quartz);
        });
        services.AddQuartzHostedService();
    }

    private static void Add<TJob>(IQuartzBuilder quartz)
        where TJob : class, IJob => quartz.ScheduleJob<TJob>(
            trigger => trigger.StartNow().WithSimpleSchedule(schedule => schedule.WithInterval(Later.Pause).RepeatForever()),
            job => job.WithIdentity(typeof(TJob).Name));
}

[DisallowConcurrentExecution]
internal sealed class BlockingJob : IJob
{
    public ValueTask Execute(IJobExecutionContext context, CancellationToken cancellationToken)
    {
        Later.OnAsync(CancellationToken.None).Wait(CancellationToken.None);
        return default;
    }
}

[DisallowConcurrentExecution]
internal sealed class AwaitingJob : IJob
{
    public async ValueTask Execute(IJobExecutionContext context, CancellationToken cancellationToken) =>
        await Later.OnAsync(cancellationToken);
}
