namespace AsyncProbe.Wiring;

/// <summary>What the application has asked for by the calls that it made.</summary>
internal sealed class ProbeDemand
{
    /// <summary>Whether <c>UseAsyncProbe</c> was called.</summary>
    public bool IsMeasured { get; set; }

    /// <summary>Whether <c>MapAsyncProbe</c> was called.</summary>
    public bool IsShown { get; set; }
}

/// <summary>Registered where the health check was added.</summary>
internal sealed class HealthCheckDemand;
