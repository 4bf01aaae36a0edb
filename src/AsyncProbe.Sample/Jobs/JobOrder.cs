namespace AsyncProbe.Sample.Jobs;

/// <summary>One piece of work that a route asks a job for.</summary>
internal sealed class JobOrder(bool isBlocking, int ms, CancellationToken gone)
{
    // The job's thread must not go on as the request.
    private readonly TaskCompletionSource _done = new(TaskCreationOptions.RunContinuationsAsynchronously);

    public bool IsBlocking => isBlocking;

    public int Ms => ms;

    /// <summary>Whether nobody waits for it any more.</summary>
    public bool IsAbandoned => gone.IsCancellationRequested;

    public Task Done => _done.Task.WaitAsync(gone);

    public void Finish() => _done.TrySetResult();
}
