namespace AsyncProbe.Apps.Tests.Running;

/// <summary>An application, the requests that its clients send, and what is true of its endpoints.</summary>
internal abstract class JudgedApp
{
    /// <summary>The project's name, and its folder's.</summary>
    public abstract string Name { get; }

    /// <summary>Gets the application ready, signs in for instance, and says what its clients send.</summary>
    public abstract Task<IReadOnlyList<Call>> CallsAsync(AppProcess process, Load load, AppSetting setting);

    /// <summary>What is true of each endpoint; every place that may block is there.</summary>
    public abstract IReadOnlyList<EndpointTruth> Truths();

    /// <summary>What clients do beside single requests.</summary>
    public virtual Task ConverseAsync(AppProcess process, Load load) => Task.CompletedTask;

    /// <summary>Counts the requests that the application sent to itself.</summary>
    public virtual void CountOwnRequests(Load load)
    {
    }
}
