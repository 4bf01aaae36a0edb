using Microsoft.AspNetCore.Hosting.Server;
using Microsoft.Extensions.Options;

namespace AsyncProbe.Wiring;

/// <summary>The features that the application requested, according to its calls.</summary>
internal sealed class ProbeDemand(IOptions<AsyncProbeOptions> options, IServer? server = null)
{
    /// <summary>Whether the host is a worker: it has no pipeline, so <c>AddAsyncProbe</c> is the only call it can make.</summary>
    public bool IsWorker { get; } = server is null && options.Value.Enabled;

    /// <summary>Whether to measure: <c>UseAsyncProbe</c> was called, or the host is a worker.</summary>
    public bool IsMeasured
    {
        get => field || IsWorker;
        set;
    }

    /// <summary>Whether <c>MapAsyncProbe</c> was called.</summary>
    public bool IsShown { get; set; }
}

/// <summary>Registered when the health check is added.</summary>
internal sealed class HealthCheckDemand;
