using System.Collections.Concurrent;
using Microsoft.Extensions.Logging;

namespace AsyncProbe.Tests;

/// <summary>Keeps everything that an app logs.</summary>
internal sealed class LogLines : ILoggerProvider, ILogger
{
    private readonly ConcurrentQueue<(LogLevel Level, EventId Id, string Text)> _lines = new();
    private readonly ConcurrentQueue<IReadOnlyDictionary<string, object?>> _values = new();

    public IEnumerable<(LogLevel Level, EventId Id, string Text)> All => _lines;

    /// <summary>The structured values of each line.</summary>
    public IEnumerable<IReadOnlyDictionary<string, object?>> Values => _values;

    public ILogger CreateLogger(string categoryName) => this;

    public IDisposable? BeginScope<TState>(TState state)
        where TState : notnull => null;

    public bool IsEnabled(LogLevel logLevel) => true;

    public void Log<TState>(
        LogLevel logLevel, EventId eventId, TState state, Exception? exception, Func<TState, Exception?, string> formatter)
    {
        _values.Enqueue((state as IEnumerable<KeyValuePair<string, object?>> ?? []).DistinctBy(v => v.Key).ToDictionary());
        _lines.Enqueue((logLevel, eventId, formatter(state, exception)));
    }

    public void Dispose()
    {
    }
}
