using System.Diagnostics;
using System.Runtime.InteropServices;

namespace AsyncProbe.Tests.Blocking.Catalogue;

/// <summary>
/// A thread that is about to wait. Most waits check a few times first, and yield the core between the checks. On a crowded core that takes
/// many milliseconds, during which the runtime's own thread state sometimes says that the thread waits. The operating system knows better.
/// </summary>
internal sealed partial class Waiter
{
    private static readonly TimeSpan s_timeout = TimeSpan.FromSeconds(5);

    private readonly Func<bool>? _isAsleep;
    private readonly int _looks;
    private int _timesAsleep;

    private Waiter(Func<bool>? isAsleep, int looks) => (_isAsleep, _looks) = (isAsleep, looks);

    /// <summary>Stands for no thread: nothing waits.</summary>
    public static Waiter Nobody { get; } = new(null, 0);

    /// <summary>
    /// The calling thread. It waits if it is asleep twice in a row: once may be a short sleep for a lock of the runtime. Except on Linux,
    /// only the runtime can be asked, and it takes more checks to be sure.
    /// </summary>
    public static Waiter Here()
    {
        if (OperatingSystem.IsLinux())
        {
            var stat = $"/proc/self/task/{GetThreadId()}/stat";
            return new(() => IsAsleep(stat), looks: 2);
        }

        var thread = Thread.CurrentThread;
        return new(() => (thread.ThreadState & System.Threading.ThreadState.WaitSleepJoin) != 0, looks: 10);
    }

    /// <summary>The calling thread if it is about to wait in native code, which only Linux can show.</summary>
    public static Waiter HereInNativeCode() => OperatingSystem.IsLinux() ? Here() : Nobody;

    /// <summary>Completes when the thread sleeps.</summary>
    public async Task AwaitItsWaitAsync()
    {
        for (var patience = Stopwatch.StartNew(); patience.Elapsed < s_timeout && !SleepsForSure();)
        {
            await Task.Delay(2);
        }
    }

    /// <summary>The same without a managed wait, which would itself be a sin.</summary>
    public void AwaitItsWait()
    {
        for (var patience = Stopwatch.StartNew(); patience.Elapsed < s_timeout && !SleepsForSure();)
        {
            Thread.Sleep(2);
        }
    }

    private bool SleepsForSure()
    {
        if (_isAsleep is null)
        {
            return true;
        }

        _timesAsleep = _isAsleep() ? _timesAsleep + 1 : 0;
        return _timesAsleep >= _looks;
    }

    private static bool IsAsleep(string statFile)
    {
        try
        {
            // "4711 (.NET TP Worker) S …": S for asleep, R for running or waiting for a core.
            var stat = File.ReadAllText(statFile);
            return stat.AsSpan(stat.LastIndexOf(')') + 2).StartsWith("S");
        }
        catch (IOException)
        {
            // The thread has ended and no longer waits. This runs on a separate thread, where an exception would end the process.
            return true;
        }
    }

    [LibraryImport("libc", EntryPoint = "gettid")]
    private static partial int GetThreadId();
}
