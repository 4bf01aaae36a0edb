namespace AsyncProbe.Common;

/// <summary>
/// Starts all of AsyncProbe's threads. An unhandled exception on a thread ends the process, so the outermost catch is here. It must not
/// allocate, because the process may be out of memory.
/// </summary>
internal sealed class OwnThread
{
    /// <summary>How many times a thread that keeps failing is restarted.</summary>
    public const int MostRestarts = 8;

    private const int FirstPauseMs = 250;
    private const int PauseStepMs = 50;

    // After running for this long, a thread that fails gets all its restarts again.
    private const int RanWellMs = 60_000;

    private static int s_off;

    private readonly OwnThreadRole _role;
    private readonly Action _body;
    private readonly Action? _atEnd;
    private readonly bool _restarts;
    private readonly int _firstPauseMs;
    private readonly Thread _thread;
    private volatile bool _hasEnded;
    private volatile bool _isAskedToEnd;

    private OwnThread(OwnThreadRole role, Action body, Action? atEnd, bool restarts, int firstPauseMs)
    {
        (_role, _body, _atEnd, _restarts, _firstPauseMs) = (role, body, atEnd, restarts, firstPauseMs);
        _thread = new Thread(Run) { IsBackground = true, Name = NameOf(role) };
    }

    /// <summary>Whether the thread has ended, by request or because it kept failing.</summary>
    public bool HasEnded => _hasEnded;

    /// <summary>Starts a thread that runs once and ends.</summary>
    /// <param name="role">The thread's purpose.</param>
    /// <param name="body">The code to run. An exception ends the thread and is counted.</param>
    /// <exception cref="Exception">The thread could not be started.</exception>
    public static OwnThread StartOnce(OwnThreadRole role, Action body)
    {
        var thread = new OwnThread(role, body, null, false, FirstPauseMs);
        thread.Start();
        return thread;
    }

    /// <summary>Starts a long-running thread. If it fails, it restarts after a pause, a limited number of times.</summary>
    /// <param name="role">The thread's purpose.</param>
    /// <param name="body">The code to run. When it returns, the thread ends.</param>
    /// <param name="atEnd">Runs once when the thread ends, even if it gave up.</param>
    /// <param name="firstPauseMs">The pause in milliseconds after the first failure; each further pause is twice as long.</param>
    /// <exception cref="Exception">The thread could not be started.</exception>
    public static OwnThread StartLasting(OwnThreadRole role, Action body, Action? atEnd = null, int firstPauseMs = FirstPauseMs)
    {
        try
        {
            var thread = new OwnThread(role, body, atEnd, true, firstPauseMs);
            thread.Start();
            Interlocked.And(ref s_off, ~BitOf(role));
            return thread;
        }
        catch (Exception)
        {
            Interlocked.Or(ref s_off, BitOf(role));
            throw;
        }
    }

    /// <summary>Features that are off because their thread could not be started or kept failing, as sentences for the report.</summary>
    public static IEnumerable<string> WhatIsOff()
    {
        var off = Volatile.Read(ref s_off);
        return off == 0 ? [] : Enum.GetValues<OwnThreadRole>().Where(role => (off & BitOf(role)) != 0).Select(Describe);
    }

    /// <summary>
    /// Waits until the thread has ended. The caller must already have made the body return; a pause between two attempts ends early.
    /// </summary>
    public void WaitForEnd()
    {
        _isAskedToEnd = true;
        _thread.Join();
    }

    // Unsafe, because the starter's context would be kept for the thread's lifetime.
    private void Start() => _thread.UnsafeStart();

    private void Run()
    {
        try
        {
            RunToTheEnd();
        }
        catch (Exception)
        {
            Faults.NoteQuietly();
        }
        finally
        {
            _hasEnded = true;
        }
    }

    private void RunToTheEnd()
    {
        for (var restarts = 0; !TryRun(ref restarts); restarts++)
        {
            if (!_restarts)
            {
                break;
            }

            if (restarts >= MostRestarts)
            {
                Interlocked.Or(ref s_off, BitOf(_role));
                break;
            }

            Pause(_firstPauseMs << restarts);
        }

        _atEnd?.Invoke();
    }

    private void Pause(int milliseconds)
    {
        for (var left = milliseconds; left > 0 && !_isAskedToEnd; left -= PauseStepMs)
        {
            Thread.Sleep(Math.Min(left, PauseStepMs));
        }
    }

    private bool TryRun(ref int restarts)
    {
        var startedAt = Environment.TickCount64;
        try
        {
            _body();
            return true;
        }
        catch (Exception)
        {
            Faults.NoteQuietly();
        }

        if (Environment.TickCount64 - startedAt > RanWellMs)
        {
            restarts = 0;
        }

        return false;
    }

    private static int BitOf(OwnThreadRole role) => 1 << (int)role;

    private static string NameOf(OwnThreadRole role) => role switch
    {
        OwnThreadRole.Watcher => "AsyncProbe watcher",
        OwnThreadRole.Lifeline => "AsyncProbe lifeline",
        OwnThreadRole.Hops => "AsyncProbe hops",
        OwnThreadRole.Hop => "AsyncProbe hop",
        OwnThreadRole.Snapshot => "AsyncProbe snapshot",
        OwnThreadRole.Window => "AsyncProbe window",
        OwnThreadRole.SessionEnd => "AsyncProbe snapshot end",
        _ => "AsyncProbe",
    };

    private static string Describe(OwnThreadRole role) => role switch
    {
        OwnThreadRole.Watcher => "watcher: its thread could not be started or kept failing, so the figures of the pool are not available "
            + "and nothing looks for blocked threads.",
        OwnThreadRole.Lifeline => "lifeline: its thread could not be started or kept failing, so nothing listens on its port.",
        _ => $"{NameOf(role)["AsyncProbe ".Length..]}: its thread could not be started or kept failing.",
    };
}
