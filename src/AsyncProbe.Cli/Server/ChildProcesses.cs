using System.Diagnostics;
using System.Runtime.InteropServices;

namespace AsyncProbe.Cli.Server;

/// <summary>The programs that the command starts: what they inherit from it, and how it ends them.</summary>
internal static partial class ChildProcesses
{
    private const int Sigkill = 9;
    private const int Sigterm = 15;

    private static readonly TimeSpan s_look = TimeSpan.FromMilliseconds(20);

    /// <summary>Starts nothing yet. The program gets the user's environment.</summary>
    public static ProcessStartInfo Prepare(string program, IEnumerable<string> arguments)
    {
        var start = new ProcessStartInfo(program, arguments);
        SocketTuning.RemoveFrom(start.Environment);
        return start;
    }

    /// <summary>Asks the process to end. On Windows, which has no such signal, it kills the process and its descendants.</summary>
    public static void AskToEnd(Process process)
    {
        if (OperatingSystem.IsWindows())
        {
            process.Kill(entireProcessTree: true);
        }
        else
        {
            _ = Kill(process.Id, Sigterm);
        }
    }

    /// <summary>
    /// Ends the process and its descendants. On Linux the descendants get the signal, too, because a shell doesn't pass it on; on macOS
    /// they can't be listed.
    /// </summary>
    /// <param name="patience">How long they may take after the signal.</param>
    public static async Task EndAsync(Process process, TimeSpan patience)
    {
        if (OperatingSystem.IsLinux())
        {
            var tree = LinuxProcess.FindTree(process.Id);
            Signal(tree, Sigterm);
            await WaitAsync(() => tree.Exists(one => one.Runs()), patience);
            // A process with a deadlocked pool doesn't react to the signal.
            Signal(tree.FindAll(one => one.Runs()), Sigkill);
            await WaitAsync(() => tree.Exists(one => one.Runs()), patience);
            return;
        }

        AskToEnd(process);
        await WaitAsync(() => !process.HasExited, patience);
        process.Kill(entireProcessTree: true);
    }

    private static async Task WaitAsync(Func<bool> isRunning, TimeSpan patience)
    {
        var began = Stopwatch.GetTimestamp();
        while (isRunning() && Stopwatch.GetElapsedTime(began) < patience)
        {
            await Task.Delay(s_look);
        }
    }

    private static void Signal(List<LinuxProcess> processes, int signal) => processes.ForEach(process => _ = Kill(process.Pid, signal));

    [LibraryImport("libc", EntryPoint = "kill")]
    [DefaultDllImportSearchPaths(DllImportSearchPath.SafeDirectories)]
    private static partial int Kill(int process, int signal);
}
