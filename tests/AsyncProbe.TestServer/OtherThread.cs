namespace AsyncProbe.TestServer;

/// <summary>Completes tasks from threads that are not the pool's, as a database driver or a native library may.</summary>
internal static class OtherThread
{
    public static async Task<string> AwaitAsync(int milliseconds)
    {
        await After(milliseconds);
        return "done";
    }

    // Without RunContinuationsAsynchronously: what awaits it goes on right there.
    public static Task After(int milliseconds)
    {
        var done = new TaskCompletionSource();
        new Thread(() =>
        {
            Thread.Sleep(milliseconds);
            done.SetResult();
        })
        { IsBackground = true }.UnsafeStart();
        return done.Task;
    }
}
