using System.Diagnostics;

namespace AsyncProbe.Sample.Tests.Sins;

/// <summary>
/// Tells whether the cores are crowded, without AsyncProbe: a thread that sleeps for a millisecond, yields its core, and notes how late it
/// was at most.
/// </summary>
internal sealed class CrowdWitness : IDisposable
{
    /// <summary>Later than this a thread is only where others want its core: on a quiet one it is 0.1 ms late.</summary>
    public const double CrowdedMs = 5;

    private readonly Thread _thread;
    private volatile bool _isStopping;
    private double _latestMs;

    public CrowdWitness()
    {
        _thread = new Thread(Run) { IsBackground = true };
        _thread.Start();
    }

    /// <returns>How late the thread was at most, in milliseconds.</returns>
    public double Stop()
    {
        _isStopping = true;
        _thread.Join();
        return _latestMs;
    }

    public void Dispose() => Stop();

    private void Run()
    {
        while (!_isStopping)
        {
            var began = Stopwatch.GetTimestamp();
            Thread.Sleep(1);
            Thread.Yield();
            _latestMs = Math.Max(_latestMs, Stopwatch.GetElapsedTime(began).TotalMilliseconds - 1);
        }
    }
}
