using System.Diagnostics;

namespace AsyncProbe.Integration.Tests.Snapshots;

/// <summary>A test of a process that has a file of its own at some path. It needs root and a mount namespace.</summary>
internal sealed class MountFactAttribute : FactAttribute
{
    public MountFactAttribute()
    {
        if (!MayMount())
        {
            Skip = "Mounts a file for one process, which needs root and 'unshare -m'. They aren't available here.";
        }
    }

    private static bool MayMount()
    {
        if (!Environment.IsPrivilegedProcess)
        {
            return false;
        }

        try
        {
            using var unshare = Process.Start(
                new ProcessStartInfo("unshare", ["-m", "mount", "--bind", "/etc", "/etc"]) { RedirectStandardError = true })!;
            return unshare.WaitForExit(TimeSpan.FromSeconds(10)) && unshare.ExitCode == 0;
        }
        catch (System.ComponentModel.Win32Exception)
        {
            return false;
        }
    }
}
