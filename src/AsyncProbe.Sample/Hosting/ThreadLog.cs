using System.Globalization;

namespace AsyncProbe.Sample.Hosting;

/// <summary>
/// Prints one line a second while <c>Sample:ThreadLog</c> is on. It uses a dedicated thread, because otherwise the lines would be
/// missing exactly when the pool has no thread left.
/// </summary>
internal sealed class ThreadLog(IConfiguration configuration) : IHostedService, IDisposable
{
    private readonly ManualResetEventSlim _stop = new();
    private Thread? _thread;

    public Task StartAsync(CancellationToken cancellationToken)
    {
        if (configuration.GetValue<bool>("Sample:ThreadLog"))
        {
            _thread = new Thread(Run) { IsBackground = true, Name = "Thread log" };
            _thread.Start();
        }

        return Task.CompletedTask;
    }

    public Task StopAsync(CancellationToken cancellationToken)
    {
        _stop.Set();
        return Task.CompletedTask;
    }

    public void Dispose()
    {
        _stop.Set();
        _thread?.Join();
        _stop.Dispose();
    }

    private void Run()
    {
        while (!_stop.Wait(TimeSpan.FromSeconds(1)))
        {
            ThreadPool.GetMaxThreads(out var maxWorkers, out _);
            ThreadPool.GetAvailableThreads(out var workers, out var ports);
            Console.WriteLine(string.Create(
                CultureInfo.InvariantCulture, $"# of threads in use is {maxWorkers - workers}, avail worker: {workers}, ports: {ports}"));
        }
    }
}
