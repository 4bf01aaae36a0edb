using Microsoft.AspNetCore.Hosting.Server;
using Microsoft.Extensions.Options;

namespace AsyncProbe.Wiring;

/// <summary>The features that the application requested, according to its calls and options.</summary>
internal sealed class ProbeDemand(IOptions<AsyncProbeOptions> options, IServer? server = null, HealthCheckDemand? health = null)
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

    /// <summary>Whether the lifeline is turned on.</summary>
    public bool HasLifeline => options.Value is { Enabled: true, LifelinePort: not null };

    /// <summary>Whether any of the features needs the pool to be watched.</summary>
    public bool IsWatched => IsMeasured || IsShown || HasLifeline || health is not null;
}

/// <summary>Registered when the health check is added.</summary>
internal sealed class HealthCheckDemand;
