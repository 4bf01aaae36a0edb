namespace AsyncProbe.Sample.Jobs;

/// <summary>One piece of work that a route asks a job for.</summary>
internal sealed class JobOrder(bool isBlocking, int ms, CancellationToken gone)
{
    // Otherwise, the job's thread would continue with the request.
    private readonly TaskCompletionSource _done = new(TaskCreationOptions.RunContinuationsAsynchronously);

    public bool IsBlocking => isBlocking;

    public int Ms => ms;

    /// <summary>Whether the caller has stopped waiting for it.</summary>
    public bool IsAbandoned => gone.IsCancellationRequested;

    public Task Done => _done.Task.WaitAsync(gone);

    public void Finish() => _done.TrySetResult();
}
