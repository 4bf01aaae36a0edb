namespace AsyncProbe.Cli.Commands;

/// <summary>Runs what blocks for long.</summary>
internal static class OwnThread
{
    public static Task<T> RunAsync<T>(Func<T> work) =>
        Task.Factory.StartNew(work, CancellationToken.None, TaskCreationOptions.LongRunning, TaskScheduler.Default);
}
