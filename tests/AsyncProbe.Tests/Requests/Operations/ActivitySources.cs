using System.Diagnostics;
using AsyncProbe.Accounting;
using Microsoft.Extensions.DependencyInjection;

namespace AsyncProbe.Tests.Requests.Operations;

/// <summary>Activity sources that no other test listens to, and apps that measure them.</summary>
internal static class ActivitySources
{
    public static ActivitySource CreateUnique() => new("Tests." + Guid.NewGuid().ToString("N"));

    /// <summary>The name of an operation of this source in the report.</summary>
    public static string Row(this ActivitySource source, string name) => $"{source.Name}: {name}";

    /// <summary>A listener to AsyncProbe's own operations.</summary>
    public static ActivityListener Listen(Action<Activity>? started = null, Action<Activity>? stopped = null)
    {
        ActivityListener listener = new()
        {
            ShouldListenTo = source => source.Name == SourceNames.Own,
            Sample = static (ref ActivityCreationOptions<ActivityContext> _) => ActivitySamplingResult.PropagationData,
            ActivityStarted = started,
            ActivityStopped = stopped,
        };
        ActivitySource.AddActivityListener(listener);
        return listener;
    }

    /// <summary>An app that measures only the activities of this source, unless more is configured.</summary>
    public static Task<ProbedApp> StartAppAsync(this ActivitySource source, Action<AsyncProbeOptions>? configure = null) =>
        ProbedApp.StartAsync(
            _ => { },
            configure: b => b.Services.Configure<AsyncProbeOptions>(o =>
            {
                o.ActivitySources.Clear();
                o.ActivitySources.Add(source.Name);
                configure?.Invoke(o);
            }));
}
