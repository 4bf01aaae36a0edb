namespace AsyncProbe.Cli.Server;

/// <summary>Runs long blocking work on a dedicated thread.</summary>
internal static class DedicatedThread
{
    public static Task<T> RunAsync<T>(Func<T> work) =>
        Task.Factory.StartNew(work, CancellationToken.None, TaskCreationOptions.LongRunning, TaskScheduler.Default);
}
