using System.Text.Json.Serialization;

namespace AsyncProbe.Sample.SyncVsAsync;

/// <summary>How many threads the pool has left.</summary>
public sealed record ThreadsLeft(
    [property: JsonPropertyName("availableAsyncIOThreads")] int AvailableAsyncIOThreads,
    [property: JsonPropertyName("availableWorkerThreads")] int AvailableWorkerThreads)
{
    internal static ThreadsLeft Now()
    {
        ThreadPool.GetAvailableThreads(out var workers, out var ports);
        return new ThreadsLeft(ports, workers);
    }
}
