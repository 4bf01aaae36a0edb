namespace AsyncProbe.Sample.Hosting;

/// <summary>Sets the thread pool's limits from <c>Sample:MaxWorkerThreads</c>, for the throttled stories.</summary>
internal static partial class PoolLimits
{
    public const string Key = "Sample:MaxWorkerThreads";

    /// <exception cref="SettingException">The value is not a number, or the runtime rejects it.</exception>
    public static void Apply(IConfiguration configuration, ILogger logger)
    {
        if (configuration[Key] is not { Length: > 0 } text)
        {
            return;
        }

        ThreadPool.GetMaxThreads(out _, out var maxPorts);
        ThreadPool.GetMinThreads(out _, out var minPorts);
        if (!int.TryParse(text, out var workers) || workers < Environment.ProcessorCount || workers > short.MaxValue)
        {
            throw new SettingException(
                $"{Key} is '{text}'. Set it from {Environment.ProcessorCount} (the runtime refuses fewer threads than processors) "
                    + $"to {short.MaxValue}, "
                + "or leave it out for the runtime's own limits.");
        }

        // Set the minimum first, because a maximum below the minimum is rejected. Both are equal, so that the story has its threads
        // from the first request on.
        if (!ThreadPool.SetMinThreads(workers, minPorts) || !ThreadPool.SetMaxThreads(workers, maxPorts))
        {
            throw new SettingException($"{Key} is {workers}, and the runtime refused it. Leave it out for the runtime's own limits.");
        }

        Limited(logger, workers);
    }

    [LoggerMessage(1, LogLevel.Information,
        "The thread pool is limited to {Workers} worker threads. Routes that wait for a task (.Wait, .Result) can now block forever; the "
            + "throttled stories are /values/sleep, /values/delay, /api/syncvasync and /SyncProduct.")]
    private static partial void Limited(ILogger logger, int workers);
}
