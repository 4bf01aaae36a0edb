using System.Diagnostics;
using System.Runtime.InteropServices;

namespace AsyncProbe.Cli.Server;

/// <summary>The programs that the command starts: what they inherit from it, and how it ends them.</summary>
internal static partial class ChildProcesses
{
    private const int Sigterm = 15;

    /// <summary>Starts nothing yet. The program gets the user's environment.</summary>
    public static ProcessStartInfo Prepare(string program, IEnumerable<string> arguments)
    {
        var start = new ProcessStartInfo(program, arguments);
        SocketTuning.RemoveFrom(start.Environment);
        return start;
    }

    /// <summary>On Windows, which has no such signal, this kills the process and those that it has started.</summary>
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

    [LibraryImport("libc", EntryPoint = "kill")]
    [DefaultDllImportSearchPaths(DllImportSearchPath.SafeDirectories)]
    private static partial int Kill(int process, int signal);
}
