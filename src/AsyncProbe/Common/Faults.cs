using Microsoft.Extensions.Logging;

namespace AsyncProbe.Common;

/// <summary>
/// Counts failures inside AsyncProbe, or in other code that it called, that were kept from the host: a metrics listener, a logging
/// provider, a type that cannot be loaded. The report shows the count.
/// </summary>
internal sealed class Faults(ILogger<Faults> logger)
{
    private static long s_quiet;

    private readonly long _quietBefore = Volatile.Read(ref s_quiet);
    private long _count;

    public long Count => Volatile.Read(ref _count) + Volatile.Read(ref s_quiet) - _quietBefore;

    /// <summary>Counts a failure for all hosts of the process, where nothing may be allocated and so nothing logged.</summary>
    public static void NoteQuietly() => Interlocked.Increment(ref s_quiet);

    /// <summary>Runs an action that may fail in third-party code, such as a logging provider, where nothing may be thrown.</summary>
    public void Guard(Action action)
    {
        try
        {
            action();
        }
        catch (Exception e)
        {
            Note(e);
        }
    }

    /// <summary>
    /// Wraps a callback of the server that may fail. The result is not async: the server awaits its callbacks in one method, and only a
    /// synchronous callback changes the context for the ones after it.
    /// </summary>
    public Func<object, Task> Guarded<T>(Action<T> callback) => state =>
    {
        try
        {
            callback((T)state);
        }
        catch (Exception e)
        {
            Note(e);
        }

        return Task.CompletedTask;
    };

    public void Note(Exception exception)
    {
        Interlocked.Increment(ref _count);
        try
        {
            Log.Fault(logger, exception);
        }
        catch (Exception)
        {
            // The logger itself may be what fails.
        }
    }
}
