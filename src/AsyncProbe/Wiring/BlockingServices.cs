using System.Diagnostics;
using AsyncProbe.Accounting;
using AsyncProbe.Blocking.Alternatives;
using AsyncProbe.Blocking.EfCore;
using AsyncProbe.Blocking.Hook;
using AsyncProbe.Blocking.Methods;
using AsyncProbe.Blocking.Sampling;
using AsyncProbe.Blocking.Sites;
using AsyncProbe.Blocking.Stacks;
using AsyncProbe.Blocking.Waits;
using AsyncProbe.Common;
using AsyncProbe.Pool.Diagnosis;
using AsyncProbe.Requests.Endpoints;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.DependencyInjection.Extensions;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Options;

namespace AsyncProbe.Wiring;

/// <summary>Registers the services that detect blocking.</summary>
internal static class BlockingServices
{
    public static void AddBlocking(this IServiceCollection services)
    {
        services.TryAddSingleton(provider => new AllowRules(OptionsOf(provider).Allow));
        services.TryAddSingleton(provider => new BlockingSites(OptionsOf(provider).MaxSites, provider.GetRequiredService<AllowRules>())
        {
            KeepsStacks = OptionsOf(provider).IncludeStacks == true,
        });
        services.TryAddSingleton(provider => new Frames(UserCode.Create([.. OptionsOf(provider).UserAssemblies])));
        services.TryAddSingleton<ProvidersInCode>();
        services.TryAddSingleton<LiveWaits>();
        services.TryAddSingleton<UnclaimedSites>();
        services.TryAddSingleton<IWaitFinder, WaitFinder>();
        services.TryAddSingleton<WaitRecorder>();
        services.TryAddSingleton(provider =>
        {
            var pool = provider.GetRequiredService<PoolMonitor>();
            return new Arming(
                provider.GetRequiredService<WaitRecorder>(),
                provider.GetRequiredService<IOptions<AsyncProbeOptions>>(),
                provider.GetRequiredService<HookStatus>(),
                () => pool.Verdict.Condition == PoolCondition.Healthy);
        });
        services.TryAddSingleton<GuardedSource>();
        services.TryAddSingleton<StackSampler>();
        services.TryAddSingleton<SnapshotTaker>();
        services.TryAddSingleton<Snapshots>();
        services.TryAddSingleton<WindowTaker>();
        services.TryAddSingleton<UnexplainedTime>();
        services.TryAddSingleton(provider => new WindowBudget(
            TimeProvider.System, isDevelopment: provider.GetService<IHostEnvironment>()?.IsDevelopment() == true));
        services.TryAddSingleton<SamplingWindows>();
        services.TryAddSingleton(CallStacks.Here);
        services.TryAddSingleton<HookStatus>();
        services.TryAddSingleton<HangingRequests>();
        services.TryAddSingleton<SnapshotOutcomes>();
        services.TryAddSingleton<UnclaimedSnapshots>();
        services.TryAddSingleton<SiteFeed>();
        services.TryAddSingleton(provider => new SiteLog(
            provider.GetRequiredService<BlockingSites>(),
            OptionsOf(provider).MaxWarningsPerHour,
            provider.GetRequiredService<ILogger<SiteLog>>(),
            static () => Debugger.IsAttached));
        services.TryAddSingleton(provider => new EfCoreCommands(
            provider.GetRequiredService<WaitRecorder>(),
            provider.GetRequiredService<EndpointTable>(),
            Duration.From(OptionsOf(provider).MinimumBlocked)));
        services.TryAddSingleton<EfCoreEvents>();
        services.TryAddSingleton<BlockingStartup>();
    }

    private static AsyncProbeOptions OptionsOf(IServiceProvider provider) =>
        provider.GetRequiredService<IOptions<AsyncProbeOptions>>().Value;
}
