namespace AsyncProbe.Benchmarks;

/// <summary>
/// Runs many sends on one pool thread: on BenchmarkDotNet's own thread the probe ignores everything. The hop is shared by all sends.
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
