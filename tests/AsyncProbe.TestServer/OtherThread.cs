namespace AsyncProbe.TestServer;

/// <summary>Completes tasks on threads outside the pool, as a database driver or a native library may.</summary>
internal static class OtherThread
{
    public static async Task<string> AwaitAsync(int milliseconds)
    {
        await After(milliseconds);
        return "done";
    }

    // Without RunContinuationsAsynchronously, so that awaiting code continues right there.
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
