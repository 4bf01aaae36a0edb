namespace AsyncProbe.TestServer;

/// <summary>
/// Work items that sleep and then queue themselves again. As long as it lasts, each item of the pool waits for the same time.
/// </summary>
internal sealed class Occupation(int milliseconds, long until) : IThreadPoolWorkItem
{
    public static void Start(int items, int milliseconds, int seconds)
    {
        var until = Environment.TickCount64 + (seconds * 1000);
        for (var i = 0; i < items; i++)
        {
            ThreadPool.UnsafeQueueUserWorkItem(new Occupation(milliseconds, until), preferLocal: false);
        }
    }

    public void Execute()
    {
        Thread.Sleep(milliseconds);
        if (Environment.TickCount64 < until)
        {
            ThreadPool.UnsafeQueueUserWorkItem(this, preferLocal: false);
        }
    }
}
