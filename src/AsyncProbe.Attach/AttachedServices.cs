using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;

namespace AsyncProbe.Attach;

/// <summary>The probe's own services. They neither read the application's configuration nor write to its logs.</summary>
internal static class AttachedServices
{
    public static ServiceProvider Create()
    {
        var services = new ServiceCollection();
        services.AddLogging();
        services.AddSingleton<IHostEnvironment, AttachedEnvironment>();
        services
            .AddAsyncProbe(probe =>
            {
                probe.Detection = BlockingDetection.WhenBlocking;
                probe.IncludeStacks = true;
            })
            .AddStackSnapshots();
        return services.BuildServiceProvider();
    }
}
