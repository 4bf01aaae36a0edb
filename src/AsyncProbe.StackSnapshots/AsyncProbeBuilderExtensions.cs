using AsyncProbe;
using AsyncProbe.Common;
using AsyncProbe.StackSnapshots;
using Microsoft.Extensions.DependencyInjection.Extensions;
using Microsoft.Extensions.Options;

namespace Microsoft.Extensions.DependencyInjection;

/// <summary>Adds stack snapshots to AsyncProbe.</summary>
public static class AsyncProbeBuilderExtensions
{
    /// <summary>
    /// Makes AsyncProbe take a snapshot of the threads' stacks while a request is blocked at an unknown place. The snapshot shows the line
    /// that sleeps, reads a file synchronously, waits in native code or hangs. Between snapshots, nothing runs or listens.
    /// </summary>
    /// <param name="builder">The builder that <c>AddAsyncProbe</c> returned.</param>
    /// <param name="configure">Sets options. It runs after the configuration section <c>AsyncProbe:StackSnapshots</c> was read.</param>
    /// <returns>The same builder, for chaining.</returns>
    /// <example>
    /// <code>
    /// var builder = WebApplication.CreateBuilder(args);
    /// builder.Services.AddAsyncProbe().AddStackSnapshots(options =&gt; options.Interval = TimeSpan.FromMinutes(1));
    /// </code>
    /// </example>
    public static AsyncProbeBuilder AddStackSnapshots(this AsyncProbeBuilder builder, Action<StackSnapshotOptions>? configure = null)
    {
        ArgumentNullException.ThrowIfNull(builder);
        StaticInitializers.Run(typeof(SelfStackSource).Assembly);
        var options = builder.Services.AddOptions<StackSnapshotOptions>().ValidateOnStart();
        builder.Services.TryAddEnumerable(
            ServiceDescriptor.Singleton<IConfigureOptions<StackSnapshotOptions>, StackSnapshotOptionsSetup>());
        builder.Services.TryAddEnumerable(ServiceDescriptor.Singleton<IValidateOptions<StackSnapshotOptions>, StackSnapshotOptionsSetup>());
        if (configure is not null)
        {
            options.Configure(configure);
        }

        builder.Services.TryAddSingleton<IStackSource, SelfStackSource>();
        return builder;
    }
}
