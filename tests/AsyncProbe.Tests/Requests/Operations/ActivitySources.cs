using System.Diagnostics;
using Microsoft.Extensions.DependencyInjection;

namespace AsyncProbe.Tests.Requests.Operations;

/// <summary>Sources of activities that no other test listens to, and apps that measure them.</summary>
internal static class ActivitySources
{
    public static ActivitySource CreateUnique() => new("Tests." + Guid.NewGuid().ToString("N"));

    /// <summary>What the report calls an operation of this source.</summary>
    public static string Row(this ActivitySource source, string name) => $"{source.Name}: {name}";

    /// <summary>An app that measures the activities of this source alone, unless more is configured.</summary>
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
