using System.Collections.Concurrent;
using System.Diagnostics;
using System.Reflection;
using System.Runtime.CompilerServices;
using System.Runtime.ExceptionServices;

namespace AsyncProbe.Soak;

/// <summary>
/// Counts exceptions that must not happen in the server: those that AsyncProbe's code throws or gets from what it calls, even if it handles
/// them; those it logs; and unobserved ones of tasks. The load's own exceptions are expected, and AsyncProbe's code doesn't throw them.
/// </summary>
internal sealed class SoakExceptions : ILoggerProvider
{
    private const int MostSamples = 5;

    private readonly ConcurrentQueue<string> _samples = new();
    private readonly ConditionalWeakTable<Exception, object> _seen = [];
    private long _count;

    public SoakExceptions()
    {
        AppDomain.CurrentDomain.FirstChanceException += OnThrown;
        TaskScheduler.UnobservedTaskException += (_, e) => Note($"unobserved: {e.Exception}");
    }

    public long Count => Interlocked.Read(ref _count);

    public IReadOnlyList<string> Samples => [.. _samples];

    public ILogger CreateLogger(string categoryName) => new Logger(this, categoryName);

    public void Dispose() => AppDomain.CurrentDomain.FirstChanceException -= OnThrown;

    private void OnThrown(object? sender, FirstChanceExceptionEventArgs e)
    {
        // An exception of the load passes through the middleware and is rethrown there.
        if (!_seen.TryAdd(e.Exception, this))
        {
            return;
        }

        // Blame the frame nearest to the throw that belongs to AsyncProbe or the load.
        foreach (var frame in new StackTrace(1).GetFrames())
        {
            var assembly = frame.GetMethod()?.DeclaringType?.Assembly;
            if (assembly == Assembly.GetExecutingAssembly())
            {
                return;
            }

            if (assembly?.GetName().Name?.StartsWith("AsyncProbe", StringComparison.Ordinal) == true)
            {
                Note(
                    $"thrown below {frame.GetMethod()!.DeclaringType!.FullName}.{frame.GetMethod()!.Name}: {e.Exception.GetType().Name}: {e.Exception.Message}");
                return;
            }
        }
    }

    private void Note(string text)
    {
        Interlocked.Increment(ref _count);
        if (_samples.Count < MostSamples)
        {
            _samples.Enqueue(text);
        }
    }

    private sealed class Logger(SoakExceptions owner, string category) : ILogger
    {
        public IDisposable? BeginScope<TState>(TState state)
            where TState : notnull => null;

        public bool IsEnabled(LogLevel logLevel) => true;

        public void Log<TState>(
            LogLevel logLevel, EventId eventId, TState state, Exception? exception, Func<TState, Exception?, string> formatter)
        {
            if (category.StartsWith("AsyncProbe", StringComparison.Ordinal) && (exception is not null || logLevel >= LogLevel.Error))
            {
                owner.Note($"logged: {formatter(state, exception)} {exception}");
            }
        }
    }
}
