using System.Threading.Channels;

namespace AsyncProbe.TestServer;

/// <summary>A thread that completes tasks at once. Code that awaits one continues in the pool, as after most drivers' answers.</summary>
internal static class HelpingThread
{
    private static readonly Channel<TaskCompletionSource> s_tasks = Channel.CreateUnbounded<TaskCompletionSource>(new() { SingleReader = true });

    static HelpingThread() => new Thread(Run) { IsBackground = true }.Start();

    public static Task CompleteAsync()
    {
        var task = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        s_tasks.Writer.TryWrite(task);
        return task.Task;
    }

    private static void Run()
    {
        while (s_tasks.Reader.WaitToReadAsync().AsTask().GetAwaiter().GetResult())
        {
            while (s_tasks.Reader.TryRead(out var task))
            {
                task.SetResult();
            }
        }
    }
}
