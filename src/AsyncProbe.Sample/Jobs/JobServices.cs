namespace AsyncProbe.Sample.Jobs;

/// <summary>The services that the jobs need.</summary>
internal static class JobServices
{
    public const string HubPath = "/jobs/hub";

    public static void AddJobs(this IServiceCollection services)
    {
        services.AddJob<NightlyReport>();
        services.AddJob<PriceFeed>();
        services.AddJob<OrderConsumer>();
        services.AddSignalR();
        services.AddRazorComponents().AddInteractiveServerComponents();
    }

    private static void AddJob<TJob>(this IServiceCollection services)
        where TJob : Job
    {
        services.AddSingleton<TJob>();
        services.AddHostedService(provider => provider.GetRequiredService<TJob>());
    }
}
