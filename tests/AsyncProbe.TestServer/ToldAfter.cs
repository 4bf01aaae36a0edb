using System.Diagnostics;

namespace AsyncProbe.TestServer;

/// <summary>
/// Prints, by this process's own clock, how long after the first <see cref="Occupiers">occupier</see> began to block the log named the
/// blocking operation. The time is taken on the thread that logs, so it includes no reader's delay.
/// </summary>
internal sealed class ToldAfter : ILoggerProvider, ILogger
{
    private int _hasTold;

    public ILogger CreateLogger(string categoryName) => this;

    public IDisposable? BeginScope<TState>(TState state)
        where TState : notnull => null;

    public bool IsEnabled(LogLevel logLevel) => true;

    public void Log<TState>(
        LogLevel logLevel, EventId eventId, TState state, Exception? exception, Func<TState, Exception?, string> formatter)
    {
        if (Occupiers.BlockingSince is { } since
            && formatter(state, exception).Contains("are blocked in AsyncProbe: ", StringComparison.Ordinal)
            && Interlocked.Exchange(ref _hasTold, 1) == 0)
        {
            Console.WriteLine($"told after {Stopwatch.GetElapsedTime(since).TotalMilliseconds:0} ms");
        }
    }

    public void Dispose()
    {
    }
}
