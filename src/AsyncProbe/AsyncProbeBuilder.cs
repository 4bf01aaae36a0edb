using Microsoft.Extensions.DependencyInjection;

namespace AsyncProbe;

/// <summary>The result of <c>AddAsyncProbe</c>. Add-on packages chain their own calls on it.</summary>
public sealed class AsyncProbeBuilder
{
    internal AsyncProbeBuilder(IServiceCollection services) => Services = services;

    /// <summary>The services that AsyncProbe was added to.</summary>
    public IServiceCollection Services { get; }
}
