namespace AsyncProbe.FaultHost;

/// <summary>Reads every value of every message, as loggers that write JSON do, and keeps nothing.</summary>
internal sealed class ReadingLogger : ILoggerProvider, ILogger
{
    public ILogger CreateLogger(string categoryName) => this;

    public IDisposable? BeginScope<TState>(TState state)
        where TState : notnull => null;

    public bool IsEnabled(LogLevel logLevel) => true;

    public void Log<TState>(
        LogLevel logLevel, EventId eventId, TState state, Exception? exception, Func<TState, Exception?, string> formatter)
    {
        _ = formatter(state, exception);
        if (state is IReadOnlyList<KeyValuePair<string, object?>> values)
        {
            // Some read them by number, and some with foreach.
            for (var i = 0; i < values.Count; i++)
            {
                _ = values[i];
            }

            foreach (var (_, value) in (IEnumerable<KeyValuePair<string, object?>>)values)
            {
                _ = value?.ToString();
            }
        }
    }

    public void Dispose()
    {
    }
}
