using AsyncProbe.Blocking.Hook;
using AsyncProbe.Blocking.Sampling;
using AsyncProbe.Blocking.Sites;
using AsyncProbe.Blocking.Stacks;
using AsyncProbe.Pool.Diagnosis;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.DependencyInjection.Extensions;
using Microsoft.Extensions.Options;

namespace AsyncProbe.Wiring;

/// <summary>Puts the room's parts together.</summary>
internal static class BlockingServices
{
    public static void AddBlocking(this IServiceCollection services)
    {
        services.TryAddSingleton(provider => new AllowRules(OptionsOf(provider).Allow));
        services.TryAddSingleton(provider => new BlockingSites(OptionsOf(provider).MaxSites, provider.GetRequiredService<AllowRules>()));
        services.TryAddSingleton(provider => new Frames(OwnCode.Of([.. OptionsOf(provider).UserAssemblies])));
        services.TryAddSingleton<LiveWaits>();
        services.TryAddSingleton<IWaitFinder, WaitFinder>();
        services.TryAddSingleton<WaitRecorder>();
        services.TryAddSingleton(provider =>
        {
            var pool = provider.GetRequiredService<PoolMonitor>();
            return new Arming(
                provider.GetRequiredService<WaitRecorder>(),
                provider.GetRequiredService<IOptions<AsyncProbeOptions>>(),
                () => pool.Verdict.Condition == PoolCondition.Healthy);
        });
        services.TryAddSingleton<SnapshotTaker>();
        services.TryAddSingleton<Snapshots>();
        services.TryAddSingleton<BlockingMonitor>();
    }

    private static AsyncProbeOptions OptionsOf(IServiceProvider provider) => provider.GetRequiredService<IOptions<AsyncProbeOptions>>().Value;
}
