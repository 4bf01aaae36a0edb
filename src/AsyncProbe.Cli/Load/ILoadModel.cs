namespace AsyncProbe.Cli.Load;

/// <summary>Decides when the next request starts.</summary>
internal interface ILoadModel : IDisposable
{
    /// <summary>How many connections the model has used.</summary>
    int Connections { get; }

    /// <summary>Ends when the model has nothing more to send, or soon after <paramref name="stop"/> is cancelled.</summary>
    Task RunAsync(CancellationToken stop);

    /// <summary>The number of requests still waiting for an answer, and how long the oldest has waited.</summary>
    Unanswered Unanswered();
}
