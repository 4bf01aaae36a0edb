namespace AsyncProbe.Apps.Tests.Running;

/// <summary>An application, the requests that its clients send, and what is true of its endpoints.</summary>
internal abstract class JudgedApp
{
    /// <summary>The name of the project and of its folder.</summary>
    public abstract string Name { get; }

    /// <summary>Prepares the application, for example by signing in, and returns the requests that its clients send.</summary>
    public abstract Task<IReadOnlyList<Call>> CallsAsync(AppProcess process, Load load, AppSetting setting);

    /// <summary>What is true of each endpoint. It lists every place that may block.</summary>
    public abstract IReadOnlyList<EndpointTruth> Truths();

    /// <summary>What clients do in addition to single requests.</summary>
    public virtual Task ConverseAsync(AppProcess process, Load load) => Task.CompletedTask;

    /// <summary>Counts the requests that the application sent to itself.</summary>
    public virtual void CountOwnRequests(Load load)
    {
    }
}
