using AsyncProbe.Common;

namespace AsyncProbe.Blocking.Hook;

/// <summary>
/// The callbacks that the runtime posts to a context: one when a task is awaited, one for <see cref="Task.Yield"/>. A context sees only a
/// delegate, but without a context the two go to different queues of the pool.
/// </summary>
internal static class AwaitCallbacks
{
    /// <summary>Null when it could not be determined. Then all continuations go to the pool's global queue.</summary>
    public static SendOrPostCallback? OfTask { get; } = Learn(AwaitTask);

    public static SendOrPostCallback? OfYield { get; } = Learn(AwaitYield);

    private static SendOrPostCallback? Learn(Action<Recorder> awaitUnder)
    {
        try
        {
            var recorder = new Recorder();
            awaitUnder(recorder);
            return recorder.Posted;
        }
        catch (Exception)
        {
            Faults.NoteQuietly();
            return null;
        }
    }

    private static void AwaitTask(Recorder recorder)
    {
        var source = new TaskCompletionSource();
        recorder.Run(() => source.Task.GetAwaiter().UnsafeOnCompleted(static () => { }));
        source.SetResult();
    }

    private static void AwaitYield(Recorder recorder) => recorder.Run(static () => _ = Yield());

    private static async Task Yield() => await Task.Yield();

    private sealed class Recorder : SynchronizationContext
    {
        public SendOrPostCallback? Posted { get; private set; }

        public override void Post(SendOrPostCallback d, object? state) => Posted = d;

        public void Run(Action action)
        {
            var before = Current;
            SetSynchronizationContext(this);
            try
            {
                action();
            }
            finally
            {
                SetSynchronizationContext(before);
            }
        }
    }
}
