namespace AsyncProbe.Benchmarks;

/// <summary>
/// Runs many sends on one pool thread, because the probe ignores everything on BenchmarkDotNet's own thread. All sends share the hop.
/// </summary>
internal static class PoolThread
{
    public const int Sends = 1000;

    public static Task RunAsync(Func<Task> send) => Task.Run(async () =>
    {
        for (var i = 0; i < Sends; i++)
        {
            await send();
        }
    });
}
