using System.Collections.Concurrent;
using System.Diagnostics;
using System.Reflection;
using System.Runtime.CompilerServices;
using System.Runtime.ExceptionServices;

namespace AsyncProbe.Soak;

/// <summary>
/// Counts what must not happen in the server: exceptions that code of AsyncProbe throws, or gets from what it calls, even where it handles
/// them; those it logs; and those of tasks that nobody looked at. The load's own are expected and are thrown by no code of AsyncProbe.
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
        // An exception of the load's passes through the middleware and is thrown again there.
        if (!_seen.TryAdd(e.Exception, this))
        {
            return;
        }

        // Whoever of ours or the load's stands nearest to the throw has called for it.
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
