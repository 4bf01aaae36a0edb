namespace AsyncProbe.Cli.Load;

/// <summary>Decides when the next request starts.</summary>
internal interface ILoadModel : IDisposable
{
    /// <summary>How many connections it has used.</summary>
    int Connections { get; }

    /// <summary>Ends by itself when the model has nothing more to send, or soon after the stop.</summary>
    Task RunAsync(CancellationToken stop);

    /// <summary>The requests that have no answer yet, and for how long the oldest has waited.</summary>
    Unanswered Unanswered();
}
