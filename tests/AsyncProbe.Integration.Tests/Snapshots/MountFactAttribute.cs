using System.Diagnostics;

namespace AsyncProbe.Integration.Tests.Snapshots;

/// <summary>A test of a process with its own file in /etc. It needs root and a mount namespace.</summary>
internal sealed class MountFactAttribute : FactAttribute
{
    public MountFactAttribute()
    {
        if (!MayMount())
        {
            Skip = "Gives a process an /etc/resolv.conf of its own, which needs root and 'unshare -m'; neither may be had here.";
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
